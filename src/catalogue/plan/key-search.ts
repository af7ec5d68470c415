import {
  type IndexedPublication,
  type IndexField,
  isNotReadYet,
  type PublicationIndex,
} from '../../plan/known.ts'
import { isbn13, plainText } from '../../plan/match.ts'
import type { Call } from '../../service/client/call.ts'
import { isRefusal } from '../../service/client/retryable.ts'
import { publications } from '../../service/contract/publications.ts'
import { once } from '../../system/once.ts'

interface KeySearchOptions {
  readonly call: Call
  readonly index: PublicationIndex
  /** Reads publications from the service into the index. */
  readonly read: (publicationIds: readonly string[]) => Promise<void>
  /** Reads all publications that are not read yet, because the service finds none by `field`. */
  readonly readRest: (field: IndexField) => Promise<void>
}

/** Finds out whether a publication that is not read yet has a key. */
export interface KeySearch {
  /**
   * Reads what may have this value and is not read yet. The service is searched for it, if it is known to find such values;
   * otherwise all are read if `mustBeKnown`. Gives whether all that has the value has been read.
   */
  settle(field: IndexField, value: string, mustBeKnown: boolean): Promise<boolean>
}

/** More results than these mean that the service does not search for the value. */
const mostFound = 20

/** How many publications are read to see what the service finds, where none with a value has been read. */
const mostTried = 5

/** How many publications with a value are looked at for one to search for. */
const mostExamples = 50

export function openKeySearch({ call, index, read, readRest }: KeySearchOptions): KeySearch {
  /** The ids of what the service finds; undefined if it finds more than can have a key, or refuses the search. */
  async function search(text: string): Promise<string[] | undefined> {
    try {
      const { items, nextToken } = (await call(publications.list, { search: text, limit: mostFound + 1 }))
        .value
      if (items.length > mostFound || nextToken) return undefined
      return items.flatMap(({ publicationId }) => publicationId ?? [])
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }

  /** Whether the service finds publications by a field: those that are known to have a value, however it is written. */
  const findsBy = once(async (field: IndexField) => {
    let examples = examplesIn(index, field)
    if (examples.length === 0) {
      await read(index.nextNotRead(mostTried))
      examples = examplesIn(index, field)
    }
    for (const { publicationId, value } of examples)
      if (!(await search(value))?.includes(publicationId)) return false
    return examples.length > 0
  })

  let rest: Promise<void> | undefined
  const readAll = async (field: IndexField) => {
    rest ??= readRest(field).finally(() => {
      rest = undefined
    })
    await rest
  }

  /** How many searches there were. Where there are more than publications, it takes fewer requests to read all of these. */
  let searches = 0
  const found = once(async (query: string) => {
    const [field, value] = JSON.parse(query) as [IndexField, string]
    if (!(await findsBy(field))) return false
    if (searches >= index.notReadYet()) {
      await readAll(field)
      return true
    }
    searches++
    const ids = await search(value)
    if (ids === undefined) return false
    await read(ids.filter(id => isToBeRead(index.get(id))))
    return true
  })

  return {
    async settle(field, value, mustBeKnown) {
      if (index.notReadYet() === 0) return true
      if (await found(JSON.stringify([field, value]))) return true
      if (mustBeKnown) await readAll(field)
      return index.notReadYet() === 0
    },
  }
}

const isToBeRead = (publication: IndexedPublication | undefined): boolean =>
  publication !== undefined && isNotReadYet(publication)

/**
 * Publications whose current edition has a value of a field, and that value as a row would give it: one where it is written
 * so, and one where it is not, if there are both. Those that could be found by their title are of no use.
 */
function examplesIn(index: PublicationIndex, field: IndexField): { publicationId: string; value: string }[] {
  const examples = new Map<boolean, { publicationId: string; value: string }>()
  for (const { publicationId, editions } of index.examplesOf(field, mostExamples)) {
    const { fields } = editions.find(({ isCurrent }) => isCurrent) ?? editions[0] ?? {}
    const name = field.startsWith('metadata:') ? field.slice('metadata:'.length) : field
    const written = fields?.metadata?.[name]
    if (typeof written !== 'string') continue
    const value = field === 'isbn' ? isbn13(written) : plainText(written)
    if (value === undefined || fields?.title?.includes(value)) continue
    examples.set(value === written, { publicationId, value })
  }
  return [...examples.values()]
}
