import type { Random } from '../random.ts'
import { bytes } from './bytes.ts'
import { bytesOf, type Format, textOf, without } from './format.ts'
import { oddTexts } from './odd-values.ts'

/** The tags of a document and the texts between them. */
const eventsOf = (text: string): string[] => text.match(/<!--[\s\S]*?-->|<[^<>]*>|[^<]+|</g) ?? []

const isStart = (event: string): boolean => /^<[^/!?][^>]*[^/]>$/.test(event)
const nameOf = (event: string): string => /^<\/?([^\s/>]+)/.exec(event)?.[1] ?? ''
/** As it is written in a document of UTF-8. */
const odd = (random: Random): string => textOf(Buffer.from(random.pick(oddTexts)))

/** Where the element ends that starts at an event: the index after its end tag. */
function endOf(events: readonly string[], start: number): number {
  if (!isStart(events[start] ?? '')) return start + 1
  let depth = 0
  for (let at = start; at < events.length; at++) {
    const event = events[at] ?? ''
    if (isStart(event)) depth++
    else if (event.startsWith('</')) depth--
    if (depth === 0) return at + 1
  }
  return events.length
}

/** Puts events in, also more than a call can have arguments. */
function insert(events: string[], at: number, more: readonly string[]): void {
  const rest = events.splice(at)
  for (const event of more) events.push(event)
  for (const event of rest) events.push(event)
}

type Change = (events: string[], at: number, random: Random, other: readonly string[]) => void

/** Changes one attribute of a tag. */
const changeAttribute = (
  tag: string,
  change: (name: string, value: string) => string,
  index: number,
): string => {
  let seen = 0
  return tag.replace(/\s([^\s=<>/"']+)=("[^"]*"|'[^']*')/g, (whole, name: string, value: string) =>
    seen++ === index ? change(name, value.slice(1, -1)) : whole,
  )
}
const attributesOf = (tag: string): number => tag.match(/=["']/g)?.length ?? 0

const onAttribute =
  (change: (name: string, value: string, random: Random) => string): Change =>
  (events, at, random) => {
    const tags = events.flatMap((event, index) => (attributesOf(event) > 0 ? [index] : []))
    const chosen = tags.find(index => index >= at) ?? tags[0]
    if (chosen === undefined) return
    const tag = events[chosen] as string
    events[chosen] = changeAttribute(
      tag,
      (name, value) => change(name, value, random),
      random.below(attributesOf(tag)),
    )
  }

const changes: readonly Change[] = [
  (events, at) => void events.splice(at, endOf(events, at) - at),
  (events, at) => void events.splice(at, 1),
  (events, at, random) => {
    const element = events.slice(at, endOf(events, at))
    const times = random.once(5) ? random.below(400) : 1
    insert(events, at, Array.from({ length: times }, () => element).flat())
  },
  (events, at, random, other) => {
    const from = random.below(other.length)
    insert(events, at, other.slice(from, endOf(other, from)))
  },
  (events, at) => {
    const [end, next] = [endOf(events, at), endOf(events, endOf(events, at))]
    insert(events, at, [...events.slice(end, next), ...events.splice(at, next - at).slice(0, end - at)])
  },
  (events, at, random) => {
    const tag = events.slice(at).find(isStart)
    if (tag === undefined) return
    const times = random.once(3) ? 300 : 1 + random.below(4)
    const end = endOf(events, at)
    const closing = Array.from({ length: times }, () => `</${nameOf(tag)}>`)
    events.splice(end, 0, ...(random.once(4) ? [] : closing))
    events.splice(at, 0, ...Array.from({ length: times }, () => tag))
  },
  (events, at, random) => {
    const names = events.map(nameOf).filter(Boolean)
    const [from, to] = [nameOf(events[at] ?? ''), random.once(6) ? odd(random) : (random.pick(names) ?? 'x')]
    const end = endOf(events, at) - 1
    for (const index of new Set([at, end]))
      if (from !== '') events[index] = (events[index] as string).replace(from, () => to)
  },
  (events, at, random) => {
    const texts = events.flatMap((event, index) => (event.startsWith('<') ? [] : [index]))
    const chosen = texts.find(index => index >= at) ?? texts[0]
    if (chosen !== undefined) events[chosen] = odd(random)
  },
  (events, at, random) => {
    const texts = events.flatMap((event, index) => (event.startsWith('<') ? [] : [index]))
    const chosen = texts.find(index => index >= at) ?? texts[0]
    if (chosen !== undefined) events[chosen] += odd(random)
  },
  onAttribute((name, _, random) => ` ${name}="${odd(random).replaceAll('"', '&quot;')}"`),
  onAttribute(() => ''),
  onAttribute((name, value) => ` ${name}="${value}" ${name}="${value}"`),
  onAttribute(
    (_, value, random) =>
      ` ${random.pick(['id', 'href', 'refines', 'property', 'x:y', 'release'])}="${value}"`,
  ),
  onAttribute((name, value, random) => ` ${name}="${value}${odd(random).replaceAll('"', '')}"`),
  (events, _, random) => {
    const size = random.once(2) ? 1 : 2000
    const entities = `<!DOCTYPE x [<!ENTITY e "${'e'.repeat(size)}"><!ENTITY f "${'&e;'.repeat(20)}"><!ENTITY s SYSTEM "file:///etc/passwd">]>`
    events.splice(/^<\?/.test(events[0] ?? '') ? 1 : 0, 0, entities)
  },
  (events, at, random) =>
    void events.splice(at, 0, random.pick(['&e;', '&f;', '&s;', '&amp;', '&nbsp;', '&'])),
  (events, _, random) => {
    const encoding = random.pick([
      'UTF-16',
      'ISO-8859-1',
      'windows-1252',
      'UTF-7',
      'x-klingon',
      '',
      'Shift_JIS',
    ])
    events.splice(0, /^<\?/.test(events[0] ?? '') ? 1 : 0, `<?xml version="1.0" encoding="${encoding}"?>`)
  },
  (events, at, random) =>
    void events.splice(at, 0, random.pick(['<!-- x -->', '<![CDATA[x]]>', '<?x y?>', '<x/>', '</x>', '<'])),
]

/** Documents: elements are left out, repeated, moved, nested and renamed, and attributes, texts and entities are changed. */
export const xml: Format = {
  mutate(input, random, other) {
    if (random.once(12)) return bytes.mutate(input, random, other)
    const events = eventsOf(textOf(input))
    random.pick(changes)(events, random.below(events.length + 1), random, eventsOf(textOf(other)))
    return bytesOf(events.join(''))
  },
  *smaller(input) {
    const events = eventsOf(textOf(input))
    const text = (parts: readonly string[]) => bytesOf(parts.join(''))
    for (let at = 0; at < events.length; at++) {
      const end = endOf(events, at)
      if (end > at + 1) yield text([...events.slice(0, at), ...events.slice(end)])
      if (end > at + 2)
        yield text([...events.slice(0, at), ...events.slice(at + 1, end - 1), ...events.slice(end)])
    }
    for (const rest of without(events)) yield text(rest)
    for (const [at, event] of events.entries()) {
      for (let index = 0; index < attributesOf(event); index++)
        yield text([...events.slice(0, at), changeAttribute(event, () => '', index), ...events.slice(at + 1)])
    }
    if (input.length < 2000) yield* bytes.smaller(input)
  },
}
