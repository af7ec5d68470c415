import { languageName } from '../service/contract/language.ts'
import { asText } from '../system/exact-json.ts'
import type { Overrides } from './book-fields.ts'
import { factsOfFile, type IndexedPublication, type KnownEdition } from './known.ts'
import { hasFailed, isbn13 } from './match.ts'

/** A publication as a row of a sheet. */
export interface ExportedPublication {
  readonly publicationId: string
  /** Without a file and a cover, which the service does not give back. */
  readonly values: Overrides
  /** The fields that a sheet cannot say. */
  readonly lost: readonly string[]
}

/**
 * What a sheet says of a publication, so that a plan finds nothing to do: the values of the edition that a plan compares
 * with. Undefined if all its uploads failed. `isIsbn` tells whether the column `isbn` takes a value.
 */
export function exportedPublication(
  { publicationId, fields, editions, collectionIds }: IndexedPublication,
  isIsbn: (text: string) => boolean,
): ExportedPublication | undefined {
  const usable = editions.filter(({ uploadStatus }) => !hasFailed(uploadStatus))
  const edition = usable.find(({ isCurrent }) => isCurrent) ?? usable[0]
  if (edition === undefined) return undefined
  const { isbn, publisher, metadata } = metadataOf(edition, isIsbn)
  const { language, description, sampleItems, isForInternalReadingInstance } = fields
  const isLanguageSaid = !language || languageName(language) === language
  const values = {
    title: edition.fields.title,
    author: edition.fields.author && [...edition.fields.author],
    language: isLanguageSaid ? language : undefined,
    description,
    isbn,
    publisher,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    collection: collectionIds?.length ? [...collectionIds] : undefined,
    sampleItem: sampleItems?.length ? [...sampleItems] : undefined,
    internal: isForInternalReadingInstance === true ? true : undefined,
  }
  return {
    publicationId,
    values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
    lost: isLanguageSaid ? [] : ['language'],
  }
}

/** The metadata that somebody gave, apart from the SHA-256, which belongs to the file. */
function metadataOf({ fields }: KnownEdition, isIsbn: (text: string) => boolean) {
  const metadata: Record<string, unknown> = {}
  let [isbn, publisher]: (string | undefined)[] = []
  for (const [key, value] of Object.entries(fields.metadata ?? {})) {
    const isContent = key === 'sha256' && /^[0-9a-f]{64}$/i.test(asText(value))
    if (value === null || value === undefined || factsOfFile.has(key) || isContent) continue
    const text = typeof value === 'string' && value.trim() !== '' ? value : undefined
    const digits = key === 'isbn' ? isbn13(text) : undefined
    if (digits !== undefined && isIsbn(digits)) isbn = digits
    else if (key === 'publisher' && text !== undefined) publisher = text
    else metadata[key] = value
  }
  return { isbn, publisher, metadata }
}
