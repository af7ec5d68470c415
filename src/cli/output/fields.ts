import { addTo } from '../../system/add-to.ts'
import { UsageFailure } from '../../system/errors.ts'
import { closest, didYouMean } from './did-you-mean.ts'

/** The value at a path, of which the names before `from` were followed. Where it goes through a list, a list of those in its elements. */
export function pick(value: unknown, path: readonly string[], from = 0): unknown {
  const name = path[from]
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map(element => pick(element, path, from))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return pick((value as Record<string, unknown>)[name], path, from + 1)
}

/** An item with only the named fields, in their places: `b.c` gives `{"b":{"c":…}}`. */
export function selectFields(item: unknown, paths: readonly string[]): unknown {
  const kept = new Map<string, string[][]>()
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    addTo(kept, name, rest)
  }
  return select(item, kept)
}

function select(value: unknown, kept: ReadonlyMap<string, string[][]>): unknown {
  if (Array.isArray(value)) return value.map(element => select(element, kept))
  if (typeof value !== 'object' || value === null) return value
  const chosen: [string, unknown][] = []
  for (const [name, rests] of kept) {
    if (!Object.hasOwn(value, name)) continue
    const inner = (value as Record<string, unknown>)[name]
    const deeper = rests.filter(rest => rest.length > 0).map(rest => rest.join('.'))
    chosen.push([name, deeper.length < rests.length ? inner : selectFields(inner, deeper)])
  }
  return Object.fromEntries(chosen)
}

/** Throws UsageFailure `unknown_field` for a name in `--fields` that is no field; `*` in the known fields matches any name. */
export function checkFields(names: readonly string[], known: ReadonlySet<string>): void {
  for (const name of names) {
    const isKnown =
      known.has(name) ||
      known.has('*') ||
      [...known].some(field => field.endsWith('.*') && name.startsWith(field.slice(0, -1)))
    if (isKnown) continue
    const near = closest(name, known)
    throw new UsageFailure(`there is no field "${name}" here${didYouMean(near)}`, {
      code: 'unknown_field',
      hint: `The fields are ${[...known].filter(field => !field.endsWith('.*')).join(', ')}.`,
    })
  }
}
