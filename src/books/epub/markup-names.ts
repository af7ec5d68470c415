import type { MarkupName } from './start-tag.ts'

/** A name with its bytes, all of which are ASCII. */
export interface KnownName extends MarkupName {
  readonly bytes: Uint8Array
}

/** More than the books of a run have; after that, the names are met anew. */
const limit = 2000

const known = new Map<number, KnownName>()

/**
 * The name at a place of a page; undefined if it is none. The names that were met are kept, since a page has a few in thousands of
 * tags: to find one takes a fraction of the time of making a text. `hash` is made of its bytes by the caller.
 */
export function nameAt(page: Buffer, start: number, end: number, hash: number): KnownName | undefined {
  const found = known.get(hash)
  if (found !== undefined && isAt(page, start, end, found)) return found
  const name = page.toString('latin1', start, end)
  const colon = name.indexOf(':')
  const [prefix, local] = colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
  if (colon === 0 || local === '' || local.includes(':')) return undefined
  if (known.size >= limit) known.clear()
  const made = { name, prefix, local, bytes: Uint8Array.from(page.subarray(start, end)) }
  known.set(hash, made)
  return made
}

/** Whether a name stands at a place of a page. */
export function isAt(page: Uint8Array, start: number, end: number, { bytes }: KnownName): boolean {
  if (end - start !== bytes.length) return false
  for (let index = 0; index < bytes.length; index += 1) {
    if (page[start + index] !== bytes[index]) return false
  }
  return true
}
