import type { ChangeableFields, CreationFields } from './book-fields.ts'
import { factsOfFile } from './known.ts'
import { isbn13, isSameList, isSameSet, isSameText } from './match.ts'

/** The given fields that differ at the service, as the body of a PATCH; undefined if none does. */
export function changesOf(given: ChangeableFields, there: ChangeableFields): ChangeableFields | undefined {
  const changes = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !isSame(value, there[name as keyof ChangeableFields]),
  )
  return changes.length === 0 ? undefined : Object.fromEntries(changes)
}

/** The names of the given fields that differ at the service and cannot be changed there. */
export function fixedDifferencesOf(given: CreationFields, there: CreationFields): string[] {
  const { metadata = {}, ...own } = given
  return [
    // Not every answer names the collections of a publication.
    ...Object.entries(own).filter(([name, value]) => {
      const other = there[name as keyof CreationFields]
      if (value === undefined || (name === 'collectionIds' && other === undefined)) return false
      return name === 'collectionIds' && Array.isArray(value) && Array.isArray(other)
        ? !isSameSet(value, other)
        : !isSame(value, other)
    }),
    ...Object.entries(metadata).filter(
      ([name, value]) => !isSameMetadata(name, value, there.metadata?.[name]),
    ),
  ].map(([name]) => name)
}

const isSameMetadata = (name: string, value: unknown, other: unknown): boolean =>
  isSame(value, other) || (name === 'isbn' && isbn13(value) !== undefined && isbn13(value) === isbn13(other))

function isSame(value: unknown, other: unknown): boolean {
  if (Array.isArray(value)) return Array.isArray(other) && isSameList(value.map(String), other.map(String))
  if (typeof value === 'string') return typeof other === 'string' && isSameText(value, other)
  return value === other || String(value) === String(other)
}

/**
 * Splits given fields by whether the service says what an edition has there. A service that returns nothing that was given
 * as an edition's metadata may keep it all the same, so nothing can be said of it.
 */
export function comparableFields(
  given: CreationFields,
  there: CreationFields,
): { readonly comparable: CreationFields; readonly unknown: readonly string[] } {
  const { metadata = {}, ...own } = given
  const isKept = Object.entries(there.metadata ?? {}).some(
    ([name, value]) => !factsOfFile.has(name) && value !== undefined && value !== null,
  )
  const [known, unknown]: [Record<string, unknown>, string[]] = [{}, []]
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue
    if (there[name as keyof CreationFields] === undefined) unknown.push(name)
    else known[name] = value
  }
  if (isKept) return { comparable: { ...known, metadata }, unknown }
  return { comparable: known, unknown: [...unknown, ...Object.keys(metadata)] }
}
