type Json = unknown
type Change = (value: Json, name: string) => Json

/** Every value at any depth, changed; objects and lists are rebuilt first and then changed themselves. */
function changed(value: Json, change: Change, name = ''): Json {
  if (Array.isArray(value))
    return change(
      value.map(each => changed(each, change, name)),
      name,
    )
  if (typeof value !== 'object' || value === null) return change(value, name)
  return change(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changed(each, change, key)])),
    name,
  )
}

const isText = (value: Json): value is string => typeof value === 'string'
const isObject = (value: Json): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const enums = new Set(
  'type status uploadStatus titleSource origin mutability uploadMode role scopes spreadBehaviour layoutType collectionType securityLevel authType language'.split(
    ' ',
  ),
)

/** Sequences that a terminal would obey, and characters that reorder or break what stands around them. */
export const controls =
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007 \u001b]52;c;aGVsbG8=\u0007 \u001b[2J\u001b[31mred ' +
  '\u009b31m\u0090q\u009c a\rb\bc\u0007\u0000 \u202egnp.exe\u2066x\u2069 \u200bz\ufeff \ud800 \u{e0041} two\nlines\ttab \u001b]0;unterminated'

let deep: Json = 'bottom'
for (let depth = 0; depth < 200; depth++) deep = depth % 2 ? { deeper: deep } : [deep]

/** What becomes of the parts of a sound answer beside `context`, one way of being hostile each. */
export const bodyModes = {
  polite: body => body,
  'unknown enum values': body =>
    changed(body, (value, name) => (isText(value) && enums.has(name) ? 'hovering' : value)),
  'extra fields': body =>
    changed(body, value =>
      isObject(value)
        ? { ...value, extra: { a: [1, null, {}] }, constructor: 'c', toString: 't', ['__proto__']: { p: 1 } }
        : value,
    ),
  'nulls everywhere': body => changed(body, value => (typeof value === 'object' ? value : null)),
  'nulls in lists': body => changed(body, value => (Array.isArray(value) ? [null, ...value, null] : value)),
  'nothing that is optional': body =>
    changed(body, (value, name) =>
      isObject(value) && !['result', ''].includes(name)
        ? {}
        : Array.isArray(value) && name !== 'items'
          ? []
          : value,
    ),
  'numbers for strings': body => changed(body, value => (isText(value) ? 42 : value)),
  'strings for lists': body =>
    changed(body, (value, name) => (Array.isArray(value) && name !== 'items' ? 'a list' : value)),
  'strings for objects': body =>
    changed(body, (value, name) => (isObject(value) && name !== '' ? 'an object' : value)),
  'objects for strings': body => changed(body, value => (isText(value) ? { text: value } : value)),
  'strings for numbers': body =>
    changed(body, value => (typeof value === 'number' ? 'many' : typeof value === 'boolean' ? 'no' : value)),
  'lists for everything': body => changed(body, (value, name) => (name === '' ? value : [value])),
  'huge numbers': body =>
    changed(body, value =>
      typeof value === 'number' ? 1e300 : isText(value) && /^\d+$/.test(value) ? '9'.repeat(400) : value,
    ),
  'negative numbers': body => changed(body, value => (typeof value === 'number' ? -1.5 : value)),
  'odd words': body =>
    changed(body, (value, name) =>
      isText(value) && name !== 'uploadUrl' ? ` ${value} ünï 漢字 👩‍👩‍👧‍👦 é שלום/../?&#%00 ` : value,
    ),
  'long words': body =>
    changed(body, (value, name) =>
      isText(value) && name !== 'uploadUrl' ? value.padEnd(4096, 'ab') : value,
    ),
  'empty words': body => changed(body, value => (isText(value) ? '' : value)),
  'controls in every string': body => changed(body, value => (isText(value) ? value + controls : value)),
  'controls in every name': body =>
    changed(body, value =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value).flatMap(([k, v]) => [
              [k, v],
              [`${k}${controls}`, v],
            ]),
          )
        : value,
    ),
  'dates that are none': body =>
    changed(body, (value, name) =>
      /Iso$|^(created|expires|lastUsed|lastSessionStartedAt|editionCreated)$/.test(name)
        ? '+275760-09-13T00:00:00.000Z'
        : value,
    ),
  'deep nesting': body =>
    changed(body, (value, name) => (isObject(value) && name !== '' ? { ...value, deep } : value)),
  'items null': body => part(body, 'items', null),
  'items an object': body => part(body, 'items', { '0': 'x', length: 1 }),
  'items of anything': body => part(body, 'items', [null, 1, 'text', true, [], [[]], {}]),
  'no items': body => part(body, 'items', []),
  'item null': body => part(body, 'item', null),
  'item a list': body => part(body, 'item', [1, 2]),
  'item a number': body => part(body, 'item', 7),
  'result null': body => part(body, 'result', null),
  'result a word': body => part(body, 'result', 'done'),
  'no parts at all': () => ({}),
  'a token that never ends': body =>
    'nextToken' in (body as object) ? { ...(body as object), nextToken: 'same' } : body,
  'a token of another type': body =>
    'nextToken' in (body as object) ? { ...(body as object), nextToken: { a: 1 } } : body,
} satisfies Record<string, (body: Json) => Json>

const part = (body: Json, name: string, value: Json): Json =>
  isObject(body) && name in body ? { ...body, [name]: value } : body

/** Answers that are not even the service's JSON, or not an answer to what was asked. */
export const answerModes = [
  'a web page for an error',
  'a web page for a success',
  'a redirect to another host',
  'an upload address at another host',
  'a success without authentication',
  'a success without context',
  'not authenticated',
  'not allowed, without a body',
  'not found',
  'a validation error',
  'errors full of controls',
  'errors that are not objects',
  'errors that echo the key',
  'too many requests',
  'nothing at all',
  'half an answer',
  'a list for an answer',
  'integers beyond a number',
  'bottomless nesting',
  'bytes that are not text',
  'a connection that is cut',
  'a success that is cut',
  'an error that is cut',
  'no content',
] as const

/** An integer that a JavaScript number would round. */
export const bigInteger = '12345678901234567890123'

export type Mode = keyof typeof bodyModes | (typeof answerModes)[number]
export const modes: readonly Mode[] = [
  ...(Object.keys(bodyModes) as (keyof typeof bodyModes)[]),
  ...answerModes,
]
