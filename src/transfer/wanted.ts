import { languageName } from '../contract/language.ts'
import { isbn13 } from '../plan/match.ts'
import type { IfChanged, Origin, Wanted } from '../plan/wanted.ts'
import type { UploadPlan } from './plan.ts'

interface WantedOptions {
  readonly editionOf: string | null
  readonly ifChanged: IfChanged
  readonly sha256: string | null
  readonly from: Origin
}

/** What is wanted of a file: its own metadata tells what it is, and only what a person said of it may change anything. */
export function wantedOf(
  { path, bytes, creation, wishes, own }: UploadPlan,
  { editionOf, ifChanged, sha256, from }: WantedOptions,
): Wanted {
  const { title, author = [], type, metadata } = creation.edition
  const isbn = typeof metadata?.['isbn'] === 'string' ? metadata['isbn'] : undefined
  const { language, description, sampleItem, internal, collection } = wishes
  const givenMetadata = {
    ...(wishes.isbn !== undefined && { isbn: wishes.isbn }),
    ...(wishes.publisher !== undefined && { publisher: wishes.publisher }),
    ...wishes.metadata,
  }
  return {
    key: isbn13(isbn) ?? (sha256 === null ? null : `sha256:${sha256}`),
    file: path,
    ...{ bytes, sha256, type, title, authors: author, isbn, own, editionOf, ifChanged },
    given: {
      changeable: {
        language: language === undefined ? undefined : languageName(language),
        description,
        sampleItems: sampleItem,
        isForInternalReadingInstance: internal,
      },
      creation: {
        title: wishes.title,
        author: wishes.author,
        collectionIds: collection,
        metadata: givenMetadata,
      },
    },
    from,
  }
}
