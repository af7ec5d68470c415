import { emptyBook, type ReadBook, type ReadOptions } from '../book.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, descendantsOf, textOf } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { checkNames } from '../zip-names.ts'
import { readEpubAccessibility } from './accessibility.ts'
import { checkCollections } from './check-collections.ts'
import { type Content, checkContent } from './check-content.ts'
import { checkDates } from './check-dates.ts'
import { checkKind } from './check-kind.ts'
import { checkManifest } from './check-manifest.ts'
import { checkMedia } from './check-media.ts'
import { checkLinks } from './check-metadata-links.ts'
import { checkMetas } from './check-metas.ts'
import { checkTargets } from './check-navigation.ts'
import { checkNewer } from './check-newer.ts'
import { checkOverlayItems } from './check-overlay-items.ts'
import { checkPackage } from './check-package.ts'
import { checkPackageShape } from './check-package-shape.ts'
import { checkReachable, checkSpine } from './check-spine.ts'
import { checkMimetype, containerPath, epubMediaType, findPackage } from './container.ts'
import { findCover } from './cover.ts'
import { createGathering, type Gathering } from './gather-facts.ts'
import { readMetadata, readRendition } from './metadata.ts'
import { readNavigation } from './navigation.ts'
import { type Package, readPackage } from './package.ts'
import { createPageTally, type PageTally } from './page-tally.ts'
import { checkObfuscated, checkSignatures, findProtection, type Protection } from './protection.ts'
import { readXml } from './read-xml.ts'
import { readEpubRights } from './rights.ts'
import { takeInventory } from './take-inventory.ts'

export { containerPath, epubMediaType } from './container.ts'

const displayOptionsPath = 'META-INF/com.apple.ibooks.display-options.xml'

/** Reads an EPUB of version 2 or 3; whatever is wrong with it is added to `problems`. */
export async function readEpub(
  zip: Zip,
  problems: Problems,
  { accessibility = false, rights = false, content = false, inventory = false }: ReadOptions = {},
): Promise<ReadBook> {
  const book: ReadBook = emptyBook('EPUB', epubMediaType)
  await checkMimetype(zip, problems)
  checkNames(zip, problems)
  const protection = await findProtection(zip, problems)
  await checkSignatures(zip, problems)
  if (protection.drm) book.drm = protection.drm
  const found = await findPackage(zip, problems)
  if (found === undefined) return book
  const { path } = found
  const root = await readXml(zip, path, 'package', problems)
  if (root === undefined) return book
  if (root.name !== 'package') {
    problemsIn(problems, path)('error', 'package_wrong', 'This is not a package document.', root.position)
    return book
  }

  const from = readPackage(path, root, zip.nameAt)
  if (found.packages > 1 && from.version?.startsWith('2')) {
    const message = 'The container names several package documents, which EPUB 2 does not know.'
    problemsIn(problems, containerPath)('warning', 'package_doubled', message)
  }
  Object.assign(book, readMetadata(from, problems))
  if (from.version) book.epubVersion = from.version
  const { layout = (await isFixedByDisplayOptions(zip, problems)) ? 'fixed' : 'reflowable', spread } =
    readRendition(from)
  book.layout = layout
  book.isReflowable = layout === 'reflowable'
  if (spread) book.spread = spread
  const cover = await findCover(zip, from, problems)
  if (cover) book.cover = cover
  checkPackage(from, problems)
  checkPackageShape(from, problems)
  checkMetas(from, problems)
  checkDates(from, problems)
  checkLinks(zip, from, problems)
  checkCollections(from, problems)
  checkKind(from, problems)
  checkManifest(zip, from, problems)
  checkNewer(from, problems)
  checkSpine(from, problems)
  checkOverlayItems(from, problems)
  checkObfuscated(from, protection, problems)
  const gathering = content ? createGathering() : undefined
  await checkMedia(zip, from, protection, cover?.path, problems, gathering)
  const tally = inventory ? createPageTally() : undefined
  const {
    marksPages,
    content: pages,
    navigation,
  } = await readPages(...([book, zip, from, protection, problems] as const), { gathering, tally })
  if (tally) {
    const hasOthers = found.packages > 1
    const entries = book.navigation.length
    book.inventory = takeInventory(zip, from, {
      ...{ content: pages, tally, entries, navigation, cover: cover?.path, hasOthers },
    })
  }
  if (rights) book.rights = readEpubRights(from)
  if (accessibility) book.accessibility = await readEpubAccessibility(zip, from, protection, marksPages)
  return book
}

/**
 * Fills in the table of contents, and checks it with the pages that it leads to. `marksPages` is whether it lists the pages
 * of a printed book.
 */
async function readPages(
  book: ReadBook,
  zip: Zip,
  from: Package,
  protection: Protection,
  problems: Problems,
  counters: { gathering: Gathering | undefined; tally: PageTally | undefined },
): Promise<{ marksPages: boolean; content: Content; navigation: string[] }> {
  const { gathering } = counters
  const { document, ncx } = await readNavigation(zip, from, problems)
  const both = [document, ncx].filter(one => one !== undefined)
  const chosen = both.find(({ entries }) => entries.length > 0)
  book.navigation = chosen?.entries ?? []
  // The pages that a reflowable book marks are those of a printed one.
  if (book.layout === 'fixed' && chosen && chosen.pages > 0) book.pageCount ??= chosen.pages
  const content = await checkContent(zip, from, protection, problems, counters)
  checkReachable(zip, from, content, problems)
  for (const one of both) checkTargets(zip, from, one, content, problems)
  if (gathering) book.content = await gathering.facts(zip, from, protection, { documents: both, chosen })
  const navigation = both.map(({ path }) => path)
  return { marksPages: chosen !== undefined && chosen.pages > 0, content, navigation }
}

async function isFixedByDisplayOptions(zip: Zip, problems: Problems): Promise<boolean> {
  if (!zip.entries.has(displayOptionsPath)) return false
  const root = await readXml(zip, displayOptionsPath, 'options', problems)
  return descendantsOf(root, 'option').some(
    option => attributeOf(option, 'name') === 'fixed-layout' && textOf(option) === 'true',
  )
}
