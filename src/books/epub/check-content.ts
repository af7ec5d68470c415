import { quotedText } from '../book.ts'
import { decodeText } from '../decode.ts'
import { isElsewhere, resolveInBook } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { isPage, type ManifestItem, type Package, pagePathsOf } from './package.ts'
import type { Protection } from './protection.ts'
import { type Reference, type ScannedDocument, scanDocument } from './scan-document.ts'
import { urlsIn } from './scan-style.ts'

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
  /** By document, where those ids stand that were asked for. */
  ids: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** Reads the content documents as far as the limits go and adds what is wrong with them. `wanted` are ids by document. */
export async function checkContent(
  zip: Zip,
  from: Package,
  { encrypted }: Protection,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  problems: Problems,
): Promise<Content> {
  const ids = new Map<string, Map<string, number>>()
  const items = new Map(from.items.map(item => [item.path ?? item.href, item]))
  const checking = {
    zip,
    from,
    problems,
    items,
    pages: pagePathsOf(from),
    linked: new Set<string>(),
    saidOutside: new Set<string>(),
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
      continue
    }
    left -= bytes
    const scanned = await scan(zip, item, path, problems)
    if (scanned?.isCut) leftOut.push(path)
    // What stands behind an error is not known.
    if (scanned && !scanned.error && !scanned.isCut) ids.set(path, pick(scanned.ids, wanted.get(path)))
    isScripted ||= scanned?.uses.has('scripted') === true
    if (scanned === undefined || scanned.error || scanned.isCut) isComplete = false
    if (scanned === undefined) continue
    for (const reference of scanned.hasBase ? [] : scanned.references) {
      checkReference(path, reference, scanned, checking)
    }
    checkProperties(item, scanned, from, problems)
  }
  addLeftOut(leftOut, problems)
  return { isComplete, linked: checking.linked, isScripted, ids }
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

const types = ['application/xhtml+xml', 'image/svg+xml', 'text/css', 'application/x-dtbook+xml']

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

const pick = (ids: ReadonlyMap<string, number>, wanted: ReadonlySet<string> = new Set()) =>
  new Map([...ids].filter(([id]) => wanted.has(id)))

async function scan(
  zip: Zip,
  { mediaType }: ManifestItem,
  path: string,
  problems: Problems,
): Promise<ScannedDocument | undefined> {
  const add = problemsIn(problems, path)
  try {
    const bytes = await zip.read(path, limits.ofOne)
    if (mediaType === 'text/css') {
      const { urls, isCut } = urlsIn(decodeText(bytes).text)
      const references = urls.map(one => ({ ...one, kind: 'resource' as const }))
      return { references, ids: new Map(), uses: new Set(), hasBase: false, isCut }
    }
    const scanned = scanDocument(bytes)
    if (scanned.error) {
      const { message, line } = scanned.error
      add('error', 'chapter_malformed', `This page is not well-formed: ${message}.`, line)
    }
    return scanned
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    add('error', 'chapter_unreadable', `This file ${error.message}.`)
    return undefined
  }
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
    add('warning', 'property_missing', message, item.line)
  }
  if (item.mediaType !== 'application/xhtml+xml' || hasBase) return
  const addNeedless = (use: string) =>
    add(
      'warning',
      'property_needless',
      `The manifest gives ${item.path} the property ${use}, which it does not need.`,
      item.line,
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

/** What the references of a book's documents are held against. */
interface Checking {
  zip: Zip
  from: Package
  problems: Problems
  /** The manifest, by path, and by address for what lies elsewhere. */
  items: ReadonlyMap<string, ManifestItem>
  /** The entries that are in the reading order. */
  pages: ReadonlySet<string>
  /** The entries that some document refers to. */
  linked: Set<string>
  /** The pages outside the reading order that a problem names already. */
  saidOutside: Set<string>
}

const withoutFragment = (href: string): string =>
  href.includes('#') ? href.slice(0, href.indexOf('#')) : href

/** Adds what is wrong with a reference of the document at a path, and notes what it makes that document need. */
function checkReference(
  path: string,
  { href, kind, line }: Reference,
  scanned: ScannedDocument,
  { zip, from, problems, items, pages, linked, saidOutside }: Checking,
): void {
  const add = problemsIn(problems, path)
  if (isElsewhere(href)) {
    if (kind !== 'resource' || !/^(?:https?:|\/\/)/i.test(href)) return
    scanned.uses.add('remote-resources')
    if (from.version?.startsWith('3') && items.has(withoutFragment(href))) return
    add(
      'warning',
      'reference_remote',
      `${quotedText(href)} is shown on a page and lies outside the book.`,
      line,
    )
    return
  }
  const found = resolveInBook(path, href)
  // A reference to the page itself, to the package document or to a folder leads somewhere in every reading system.
  if (found === undefined || found.path === '' || found.path === path || found.path === from.path) return
  const target = zip.nameAt(found.path)
  // Where a navigation document leads is checked with its lists.
  if (kind === 'link' && items.get(path)?.properties.includes('nav')) return void linked.add(target)
  const item = items.get(target)
  if (!zip.entries.has(target)) {
    // What is listed and not there is said once, of the manifest.
    if (item === undefined)
      add('warning', 'reference_missing', `${quotedText(href)} leads to nothing in the book.`, line)
    return
  }
  linked.add(target)
  if (item?.mediaType === 'image/svg+xml') scanned.uses.add('svg-image')
  if (item === undefined) {
    if (target.startsWith('META-INF/')) return
    add(
      'warning',
      'reference_undeclared',
      `${quotedText(href)} leads to a file that the manifest does not list.`,
      line,
    )
  } else if (kind === 'link' && isPage(item) && !pages.has(target) && !saidOutside.has(target)) {
    saidOutside.add(target)
    const message = `${quotedText(href)} leads to a page that is not in the reading order.`
    add('warning', 'reference_outside_spine', message, line)
  }
}
