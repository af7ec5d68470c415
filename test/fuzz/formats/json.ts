import type { Random } from '../random.ts'
import { bytes } from './bytes.ts'
import { type Format, without } from './format.ts'
import { oddTexts, oddValues } from './odd-values.ts'

type Path = readonly (string | number)[]

/** The paths to all values in a value, itself first. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (typeof value !== 'object' || value === null || path.length > 40) return
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  for (const name of names) yield* pathsIn((value as never)[name], [...path, name])
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((within, name) => (within as Record<string | number, unknown>)?.[name], value)

/** The value with another one in a place; `undefined` leaves the place out. */
function put(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to
  const inner = put((value as Record<string | number, unknown>)[name], rest, to)
  if (Array.isArray(value)) {
    const copy = [...value]
    if (inner === undefined) copy.splice(name as number, 1)
    else copy[name as number] = inner
    return copy
  }
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    entries.flatMap(([key, each]) =>
      key !== name ? [[key, each]] : inner === undefined ? [] : [[key, inner]],
    ),
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

type Change = (value: unknown, path: Path, random: Random, other: unknown) => unknown

function deep(random: Random): unknown {
  let value: unknown = 'bottom'
  for (let depth = random.pick([3, 50, 400]); depth > 0; depth--)
    value = random.once(2) ? [value] : { a: value }
  return value
}

const changes: readonly Change[] = [
  (value, path) => put(value, path, undefined),
  (value, path, random) => put(value, path, random.pick(oddValues)),
  (value, path, random) => put(value, path, random.pick(oddTexts)),
  (value, path, random) => put(value, path, textOf(at(value, path)) + random.pick(oddTexts)),
  (value, path) => put(value, path, [at(value, path)]),
  (value, path) => put(value, path, { value: at(value, path) }),
  (value, path, random) => put(value, path, deep(random)),
  (value, path, random, other) => put(value, path, at(other, random.pick([...pathsIn(other)]))),
  (value, path, random) => put(value, path, at(value, random.pick([...pathsIn(value)]))),
  (value, path, random) => {
    const list = at(value, path)
    if (!Array.isArray(list))
      return put(
        value,
        path,
        Array.from({ length: random.below(5) }, () => list),
      )
    return put(value, path, [
      ...list,
      ...Array.from({ length: random.once(4) ? 300 : 1 }, () => random.pick([...list, null])),
    ])
  },
  (value, path, random) => {
    const object = at(value, path)
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return put(value, path, {})
    return put(value, path, { ...object, [random.pick(oddTexts)]: random.pick([...oddValues, ...oddTexts]) })
  },
  (value, path, random) => {
    const object = at(value, path)
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return put(value, path, null)
    const names = Object.keys(object)
    const from = random.pick(names)
    const to = random.once(3) ? random.pick(oddTexts) : random.pick(names)
    return put(
      value,
      path,
      Object.fromEntries(Object.entries(object).map(([name, each]) => [name === from ? to : name, each])),
    )
  },
]

function parse(input: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(input.toString()) }
  } catch {
    return undefined
  }
}

/** As JSON; lone halves of characters stay as they are written, and a name may stand twice. */
const write = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '')

/** Trees: values are left out, repeated, of another type, deeper, and those of others; now and then the text is damaged. */
export const json: Format = {
  mutate(input, random, other) {
    const parsed = parse(input)
    if (!parsed || random.once(12)) return bytes.mutate(input, random, other)
    if (random.once(12)) return Buffer.from(input.toString().replace(/"(\w+)":/, '"$1":null,"$1":'))
    if (random.once(12))
      return Buffer.from(
        input.toString().replace(/:\s*\d+/, `:${random.pick(['1e400', '-0.0', '9'.repeat(30), '1E+2'])}`),
      )
    const path = random.pick([...pathsIn(parsed.value)])
    return write(random.pick(changes)(parsed.value, path, random, parse(other)?.value ?? {}))
  },
  *smaller(input) {
    const parsed = parse(input)
    if (parsed) {
      const { value } = parsed
      for (const path of [...pathsIn(value)].sort((a, b) => a.length - b.length)) {
        if (path.length > 0) yield write(put(value, path, undefined))
        const inner = at(value, path)
        if (typeof inner === 'object' && inner !== null) {
          yield write(put(value, path, null))
          for (const each of Object.values(inner)) yield write(put(value, path, each))
        } else if (typeof inner === 'string') {
          for (const rest of without([...inner].slice(0, 500))) yield write(put(value, path, rest.join('')))
        }
      }
    }
    if (!parsed || input.length < 300) yield* bytes.smaller(input)
  },
}
