import type { ChangeableFields, CreationFields } from './book-fields.ts'
import { isbn13, isSameList, isSameText } from './match.ts'

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
      return (
        value !== undefined && !(name === 'collectionIds' && other === undefined) && !isSame(value, other)
      )
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
