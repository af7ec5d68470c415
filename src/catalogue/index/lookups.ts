import { factsOfFile, type IndexedPublication, type IndexQuery } from '../../plan/known.ts'
import { isbn13, plainText } from '../../plan/match.ts'
import { serialise } from '../../system/exact-json.ts'

/** A value that a publication is looked up by. */
type Lookup = readonly [field: string, value: string]

/** A metadata value as text: a number is looked up by its digits, and anything else by its JSON. */
const metadataText = (value: unknown): string =>
  plainText(typeof value === 'string' ? value : serialise(value))

/** Everything that a publication can be looked up by, of each of its editions. */
export function lookupsOf({ editions }: IndexedPublication): Lookup[] {
  const found = new Map<string, Lookup>()
  const add = (field: string, value: string | null | undefined) => {
    if (value) found.set(`${field}\n${value}`, [field, value])
  }
  for (const { sha256, fields } of editions) {
    add('sha256', sha256)
    add('title', fields.title === undefined ? null : plainText(fields.title))
    for (const [key, value] of Object.entries(fields.metadata ?? {})) {
      if (value === null || value === undefined || factsOfFile.has(key)) continue
      if (key === 'isbn') add('isbn', isbn13(value))
      add(`metadata:${key}`, metadataText(value))
    }
  }
  return [...found.values()]
}

/** The values of a query, in the form in which they are kept. */
export function lookupsFor({ isbn, metadata, sha256, title }: IndexQuery): Lookup[] {
  const asked: [string, string | null | undefined][] = [
    ['isbn', isbn && isbn13(isbn)],
    ['sha256', sha256?.toLowerCase()],
    ['title', title && plainText(title)],
    ...(metadata ? [[`metadata:${metadata[0]}`, metadataText(metadata[1])] as [string, string]] : []),
  ]
  return asked.flatMap(([field, value]) => (value ? [[field, value] as const] : []))
}
