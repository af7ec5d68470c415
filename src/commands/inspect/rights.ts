import { quotedText } from '../../books/book.ts'
import { fileSays } from '../../books/rights/file-says.ts'
import { joinRights } from '../../books/rights/join.ts'
import { type CarrierSays, carriers } from '../../books/rights/says.ts'
import type { RightsContradiction } from '../../books/rights/topic.ts'
import type { Context } from '../../cli/context.ts'
import type { View } from '../../cli/output/view.ts'
import {
  type RightsBook,
  rightsRowsOf,
  rightsStateOf,
  type ShownRights,
  worstRightsFirst,
} from '../../inspect/rights-report/rows.ts'
import { rightsView } from '../../inspect/rights-report/view.ts'
import {
  oneName,
  type RightsState,
  rightsStates,
  rightsTopics,
  severalNames,
  topicNames,
} from '../../inspect/rights-report/words.ts'
import { tallied } from '../../inspect/tallied.ts'
import type { Product } from '../../plan/product.ts'
import { placeOf } from '../../plan/wanted.ts'
import { isbnOf } from './book-record.ts'
import { type DescribeOptions, type FileOfBook, inspectDescribed, type Remark } from './described-books.ts'

interface RightsOptions extends DescribeOptions {
  /** ONIX messages. */
  readonly feed?: readonly string[] | undefined
  /** Addresses of sites. */
  readonly tdmSite?: readonly string[] | undefined
}

/**
 * Shows what files, feeds and sites say of the rights of books, several with the worst first, and writes the report. Throws the
 * failure of `inspect` if books are unfit, contradictions among their problems, or cannot be read.
 */
export async function inspectRights(
  context: Context,
  inputs: readonly string[],
  { feed, tdmSite, ...options }: RightsOptions,
  { fields }: Pick<View, 'fields'>,
): Promise<void> {
  const loadReport = () => import('../../inspect/rights-report/index.ts')
  await inspectDescribed<RightsBook>(context, inputs, options, {
    reads: { rights: true, accessibility: true },
    view: kind => rightsView(kind, fields),
    prepare: async () => {
      const siteSays = await readSites(tdmSite ?? [], context)
      return async books => {
        const feedSays = feed === undefined ? undefined : await readFeeds(feed, books, context)
        return books.map(book => describe(book, feedSays?.(book), siteSays(book.file))).sort(worstRightsFirst)
      }
    },
    remarksOn,
    tallyOf: (books, unread) =>
      tallied<RightsState>(
        rightsStates,
        [...Array<RightsState>(unread).fill('unread'), ...books.map(rightsStateOf)],
        { one: oneName, several: severalNames },
      ),
    checkReport: async path => (await loadReport()).checkRightsReport(path),
    writeReport: async (path, books, unread, about) =>
      (await loadReport()).writeRightsReport(path, rightsRowsOf(books, unread), about),
    hint: 'Correct or repair what is listed.',
  })
}

/** What a feed says of a book, and its record there. */
interface InFeed {
  readonly says: CarrierSays
  readonly record: ShownRights['record']
}

function describe(read: FileOfBook, inFeed: InFeed | undefined, sites: readonly CarrierSays[]): RightsBook {
  const { rights: _, accessibility: __, ...book } = read
  const own = fileSays(read)
  if (own === undefined) return { ...book, rights: null }
  const rights = joinRights([own, ...(inFeed ? [inFeed.says] : []), ...sites])
  const missing = new Set(rightsTopics.flatMap(topic => rights[topic].missingIn))
  return {
    ...book,
    problems: [...book.problems, ...rights.contradictions.map(problemOf)],
    rights: {
      ...rights,
      missingIn: carriers.filter(carrier => missing.has(carrier)),
      ...(inFeed && { record: inFeed.record ?? null }),
    },
  }
}

const problemOf = ({ code, message }: RightsContradiction) => ({
  severity: 'warning' as const,
  code,
  message,
  hint: 'Correct the one that is wrong, so that all say the same.',
})

/** Reads the records of books, and gives what they say. A book that no record can be looked up for is left out. */
async function readFeeds(
  paths: readonly string[],
  books: readonly FileOfBook[],
  context: Context,
): Promise<(book: FileOfBook) => InFeed | undefined> {
  const { feedRecords } = await import('../../catalogue/onix/feed-records.ts')
  const { feedSays, silentFeed } = await import('../../catalogue/onix/feed-says.ts')
  const isbns = new Set(books.flatMap(book => isbnOf(book) ?? []))
  const records = await feedRecords(
    isbns,
    paths,
    context.world.mayRead,
    why => void context.warn({ code: 'bad_record', message: `${why}, so this record is left out` }),
  )
  const unnamed = books.filter(book => isbnOf(book) === undefined)
  if (unnamed.length > 0) {
    await context.warn({
      code: 'isbn_missing',
      message: `${unnamed.length === 1 ? `${unnamed[0]?.file} has` : `${unnamed.length} books have`} no ISBN, so nobody can tell which record of the feed is meant`,
      hint: 'Write the ISBN of the record into the metadata of the book.',
    })
  }
  return book => {
    const isbn = isbnOf(book)
    if (isbn === undefined) return undefined
    const product = records.get(isbn)
    if (product === undefined) return { says: silentFeed, record: null }
    const place = recordPlace(product)
    const declared = product.declared ?? {}
    return { says: feedSays(declared, place), record: { place, declared } }
  }
}

const recordPlace = ({ from }: Product): string => placeOf(from)

/** Reads the sites, and gives what they say of a file. */
async function readSites(
  texts: readonly string[],
  context: Context,
): Promise<(file: string) => CarrierSays[]> {
  if (texts.length === 0) return () => []
  const { readTdmSite, siteAddresses, siteSays } = await import('../../inspect/tdm-site/index.ts')
  const { asNetworkFailure } = await import('../../service/client/network-errors.ts')
  const { signal } = context.world
  const http = await context.http()
  const sites: Parameters<typeof siteSays>[0][] = []
  for (const address of siteAddresses(texts)) {
    try {
      sites.push(await readTdmSite(address, http, signal))
    } catch (error) {
      throw signal.aborted ? error : asNetworkFailure(error, `the site ${address.origin}`)
    }
  }
  return file => sites.map(site => siteSays(site, file))
}

/** A line for each contradiction; of a book alone, also for what is missing or means nothing. */
function remarksOn({ file, rights }: RightsBook, isAlone: boolean): Remark[] {
  if (!rights) return []
  const found = rights.contradictions.map(
    ({ message }): Remark => ({
      kind: 'contradiction',
      text: isAlone ? message : `${file}: ${message}`,
      tone: 'red',
    }),
  )
  if (!isAlone) return found
  const missing = rightsTopics.flatMap(topic =>
    rights[topic].missingIn.map((carrier): Remark => {
      const codes = rights[topic].leftOut?.find(each => each.carrier === carrier)?.codes ?? []
      const what = codes.length === 0 ? '' : `, codes of ONIX list 196: ${codes.join(', ')}`
      return { kind: `missing in ${carrier}`, text: `${topicNames[topic]}${what}`, tone: 'yellow' }
    }),
  )
  const unknown = rights.unknownValues.map(
    ({ carrier, property, value }): Remark => ({
      kind: 'unknown value',
      text: `${carrier}: ${property}: ${quotedText(value)}`,
      tone: 'yellow',
    }),
  )
  const noRecord: Remark[] =
    rights.record === null
      ? [{ kind: 'not in the feed', text: 'No record of it is in the feed.', tone: 'yellow' }]
      : []
  return [...found, ...noRecord, ...missing, ...unknown]
}
