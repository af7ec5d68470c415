import { decodeText } from '../decode.ts'
import { isElsewhere } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { checkDocument, fixedPages } from './check-document.ts'
import { createOverlays } from './check-overlays.ts'
import { checkReferences } from './check-references.ts'
import { createSemantics, searchKeyMapType } from './check-semantics.ts'
import { styleFaults } from './check-style.ts'
import { createFragments } from './fragments.ts'
import type { Gathering } from './gather-facts.ts'
import { isPage, type ManifestItem, type Package, pagePathsOf } from './package.ts'
import type { PageTally } from './page-tally.ts'
import type { Protection } from './protection.ts'
import { scanDocument } from './scan-document.ts'
import { urlsIn } from './scan-style.ts'
import { nothingFound, type ScannedDocument } from './scanned-document.ts'

/** How many bytes of pages and styles are read, in the order of the spine: all of any book that is not made to be endless. */
const limits = { ofOne: 8 * 2 ** 20, ofAll: 64 * 2 ** 20 }

/** What was found in the content documents. */
export interface Content {
  /** Whether every document of the spine was read whole. */
  isComplete: boolean
  /** The entries that the documents refer to. */
  linked: ReadonlySet<string>
  /** Whether a document has a script, which can lead anywhere. */
  isScripted: boolean
  /** By document, where its ids stand. */
  ids: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** What counts in the content documents, where that is asked for. */
interface Counters {
  gathering?: Gathering | undefined
  tally?: PageTally | undefined
}

/** Reads the content documents as far as the limits go and adds what is wrong with them. */
export async function checkContent(
  zip: Zip,
  from: Package,
  { encrypted }: Protection,
  problems: Problems,
  counters: Counters,
): Promise<Content> {
  const { gathering } = counters
  const fixed = fixedPages(from)
  const fragments = createFragments()
  const overlays = createOverlays(zip, from)
  const semantics = createSemantics(zip, from)
  const checking = {
    zip,
    from,
    problems,
    pages: pagePathsOf(from),
    linked: new Set<string>(),
    saidOutside: new Set<string>(),
    fragments,
  }
  let left = limits.ofAll
  let isComplete = true
  let isScripted = false
  const leftOut: string[] = []
  for (const item of documentsOf(from)) {
    const { path = '' } = item
    const bytes = zip.entries.get(path)?.uncompressedSize
    const isTooLarge = bytes !== undefined && bytes > Math.min(limits.ofOne, left)
    // What is encrypted is said of the whole book.
    const isReadable = bytes !== undefined && !encrypted.has(path)
    if (isReadable && (isTooLarge || !isKnown(item))) leftOut.push(path)
    if (!isReadable || isTooLarge || !isKnown(item)) {
      isComplete &&= !checking.pages.has(path)
      if (bytes !== undefined) gathering?.unread(path)
      continue
    }
    left -= bytes
    const scanned = await scan(zip, item, path, problems, counters)
    if (scanned?.isCut) leftOut.push(path)
    // What stands behind an error is not known.
    if (scanned && !scanned.error && !scanned.isCut && item.mediaType !== 'text/css')
      fragments.have(path, scanned.ids, scanned.unshownIds)
    isScripted ||= scanned?.uses.has('scripted') === true
    if (scanned === undefined || scanned.error || scanned.isCut) {
      isComplete = false
      gathering?.unread(path)
    }
    if (scanned === undefined) continue
    checkReferences(path, scanned, checking)
    checkDocument(item, path, scanned, from, fixed, problems)
    overlays.add(item, path, scanned)
    semantics.add(item, path, scanned)
    checkProperties(item, scanned, from, problems)
  }
  fragments.check(problems)
  overlays.check(problems)
  semantics.check(problems)
  addLeftOut(leftOut, problems)
  return { isComplete, linked: checking.linked, isScripted, ids: fragments.ids }
}

/** Adds what was not read: nobody may take it for sound. */
function addLeftOut([place, ...others]: readonly string[], problems: Problems): void {
  if (place === undefined) return
  const more = others.length === 0 ? '' : `, and so are ${others.length} other files`
  problems.push({
    severity: 'warning',
    code: 'not_examined',
    message: `This file is not examined, or not to its end${more}.`,
    place,
  })
}

const types = [
  'application/xhtml+xml',
  'image/svg+xml',
  'text/css',
  'application/x-dtbook+xml',
  searchKeyMapType,
]

/** Whether a document is of a kind that is examined; the HTML that books from before EPUB may be is not. */
const isKnown = ({ mediaType }: ManifestItem): boolean =>
  types.includes(mediaType) || mediaType === 'application/smil+xml'

/** The documents of the spine in its order, then the others and the styles, then the overlays with sound. */
function documentsOf({ spine, items }: Package): Set<ManifestItem> {
  return new Set([
    ...spine.flatMap(({ item }) => (item && (isKnown(item) || isPage(item)) ? [item] : [])),
    ...items.filter(({ mediaType }) => types.includes(mediaType)),
    ...items.filter(({ mediaType }) => mediaType === 'application/smil+xml'),
  ])
}

async function scan(
  zip: Zip,
  { mediaType }: ManifestItem,
  path: string,
  problems: Problems,
  counters: Counters,
): Promise<ScannedDocument | undefined> {
  const { gathering, tally } = counters
  const add = problemsIn(problems, path)
  try {
    const bytes = await zip.read(path, limits.ofOne)
    if (mediaType === 'text/css') {
      const css = decodeText(bytes).text
      gathering?.style(path, css)
      return scanStyle(css)
    }
    const isPage = mediaType === 'application/xhtml+xml'
    const scanned = scanDocument(bytes, isPage ? gathering?.page(path) : undefined)
    if (isPage) tally?.add(scanned)
    if (scanned.error) {
      const { message } = scanned.error
      add('error', 'chapter_malformed', `This page is not well-formed: ${message}.`, scanned.error)
    }
    return scanned
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    add('error', 'chapter_unreadable', `This file ${error.message}.`)
    return undefined
  }
}

function scanStyle(css: string): ScannedDocument {
  const { urls, isCut } = urlsIn(css)
  const references = urls.map(one => ({
    ...one,
    kind: 'resource' as const,
    element: 'style',
    choice: undefined,
    isTyped: false,
  }))
  return { ...nothingFound(), references, faults: styleFaults(css), isCut }
}

/** Adds the properties that the manifest of an EPUB 3 should give a document and does not, or the other way round. */
function checkProperties(
  item: ManifestItem,
  { uses, references, error, hasBase }: ScannedDocument,
  { version, path, items }: Package,
  problems: Problems,
): void {
  if (!version?.startsWith('3') || error) return
  const add = problemsIn(problems, path)
  for (const use of uses) {
    if (use === 'svg-image' || item.properties.includes(use)) continue
    if (item.mediaType === 'image/svg+xml' && use === 'svg') continue
    const message = `${item.path} needs the property ${use}, which the manifest does not give it.`
    add('warning', 'property_missing', message, item.position)
  }
  if (item.mediaType !== 'application/xhtml+xml' || hasBase) return
  const addNeedless = (use: string) =>
    add(
      'warning',
      'property_needless',
      `The manifest gives ${item.path} the property ${use}, which it does not need.`,
      item.position,
    )
  for (const use of ['scripted', 'svg', 'mathml', 'switch'] as const) {
    if (!item.properties.includes(use) || uses.has(use)) continue
    // Some give the property to pages that show a drawing from a file of its own.
    if (use === 'svg' && uses.has('svg-image')) continue
    addNeedless(use)
  }
  if (item.properties.includes('remote-resources') && !canBeRemote(references, uses, items))
    addNeedless('remote-resources')
}

/**
 * Whether a page may show something that lies elsewhere: a script can ask for anything, and some give the property to the
 * pages of a style that needs it.
 */
const canBeRemote = (
  references: ScannedDocument['references'],
  uses: ScannedDocument['uses'],
  items: readonly ManifestItem[],
): boolean =>
  uses.has('scripted') ||
  references.some(({ href, kind }) => kind === 'resource' && isElsewhere(href) && !/^data:/i.test(href)) ||
  items.some(
    ({ mediaType, properties }) => mediaType === 'text/css' && properties.includes('remote-resources'),
  )
