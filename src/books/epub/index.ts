import { type Book, emptyBook, type Problem, quoted, type ReadOptions } from '../book.ts'
import { isElsewhere } from '../href.ts'
import { attributeOf, descendantsOf, textOf } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { readEpubAccessibility } from './accessibility.ts'
import { findCover } from './cover.ts'
import { findDrm } from './drm.ts'
import { readMetadata, readRendition } from './metadata.ts'
import { readNavigation } from './navigation.ts'
import { type Package, readPackage } from './package.ts'
import { readXml } from './read-xml.ts'

export const epubMediaType = 'application/epub+zip'
export const containerPath = 'META-INF/container.xml'
const displayOptionsPath = 'META-INF/com.apple.ibooks.display-options.xml'

/** Reads an EPUB of version 2 or 3; whatever is wrong with it is among the book's problems. */
export async function readEpub(zip: Zip, { accessibility = false }: ReadOptions = {}): Promise<Book> {
  const book = emptyBook('EPUB', epubMediaType)
  const { problems } = book
  await checkMimetype(zip, problems)
  const drm = await findDrm(zip, problems)
  if (drm) book.drm = drm
  const path = await packagePath(zip, problems)
  if (path === undefined) return book
  const root = await readXml(zip, path, 'package', problems)
  if (root === undefined) return book
  if (root.name !== 'package') {
    problems.push({
      severity: 'error',
      code: 'package_wrong',
      message: `${path} is not a package document.`,
      place: path,
    })
    return book
  }

  const document = readPackage(path, root)
  Object.assign(book, readMetadata(document, problems))
  if (document.version) book.epubVersion = document.version
  const { layout = (await isFixedByDisplayOptions(zip)) ? 'fixed' : 'reflowable', spread } =
    readRendition(document)
  book.layout = layout
  book.isReflowable = layout === 'reflowable'
  if (spread) book.spread = spread
  const { entries, pages } = await readNavigation(zip, document, problems)
  book.navigation = entries
  if (pages > 0) book.pageCount ??= pages
  const cover = await findCover(zip, document, problems)
  if (cover) book.cover = cover
  checkResources(zip, document, problems)
  if (accessibility) book.accessibility = await readEpubAccessibility(zip, document, pages > 0)
  return book
}

async function checkMimetype(zip: Zip, problems: Problem[]): Promise<void> {
  const place = 'mimetype'
  const text = (await zip.readStart(place, 64).catch(() => undefined))?.toString('latin1')
  if (text === undefined) {
    problems.push({
      severity: 'warning',
      code: 'mimetype_missing',
      message: 'The zip has no readable mimetype entry.',
      place,
    })
  } else if (text.trim() !== epubMediaType) {
    problems.push({
      severity: 'warning',
      code: 'mimetype_wrong',
      message: `The mimetype is not ${epubMediaType}.`,
      place,
    })
  } else if ([...zip.entries.keys()][0] !== place || zip.entries.get(place)?.compressionMethod !== 0) {
    problems.push({
      severity: 'warning',
      code: 'mimetype_misplaced',
      message: 'The mimetype should be the first entry of the zip, uncompressed.',
      place,
    })
  }
}

/** Where the package document is; a lone `.opf` is taken when the container does not say. */
async function packagePath(zip: Zip, problems: Problem[]): Promise<string | undefined> {
  const container = await readXml(zip, containerPath, 'container', problems)
  const declared = descendantsOf(container, 'rootfile')
  const packages = declared.filter(
    file => attributeOf(file, 'media-type') === 'application/oebps-package+xml',
  )
  const path = attributeOf(packages[0] ?? declared[0], 'full-path')
  if (path !== undefined && zip.entries.has(path)) return path
  const message =
    path === undefined
      ? 'The container does not say where the package document is.'
      : `The package document ${path} is not in the zip.`
  if (container) problems.push({ severity: 'error', code: 'package_missing', message, place: containerPath })
  const found = [...zip.entries.keys()].filter(name => name.toLowerCase().endsWith('.opf'))
  return found.length === 1 ? found[0] : undefined
}

async function isFixedByDisplayOptions(zip: Zip): Promise<boolean> {
  if (!zip.entries.has(displayOptionsPath)) return false
  const root = await readXml(zip, displayOptionsPath, 'options', [])
  return descendantsOf(root, 'option').some(
    option => attributeOf(option, 'name') === 'fixed-layout' && textOf(option) === 'true',
  )
}

/** The most missing entries that are named one by one. */
const namedLimit = 20

function checkResources(zip: Zip, { items, spine, path }: Package, problems: Problem[]): void {
  if (spine.length === 0) {
    problems.push({
      severity: 'error',
      code: 'spine_empty',
      message: 'The book has no reading order.',
      place: path,
    })
  }
  const unknown = spine.filter(({ item }) => !item).slice(0, namedLimit)
  for (const { idref } of unknown) {
    const message = `The reading order names ${quoted(idref)}, which the manifest does not have.`
    problems.push({ severity: 'error', code: 'spine_item_unknown', message, place: path })
  }
  const outside = items.filter(item => item.path === undefined && item.href !== '' && !isElsewhere(item.href))
  for (const { href } of outside.slice(0, namedLimit)) {
    const message = `The manifest names ${quoted(href)}, which leads out of the book.`
    problems.push({ severity: 'error', code: 'resource_outside', message, place: path })
  }
  const inSpine = new Set(spine.map(({ item }) => item))
  const missing = items.filter(item => item.path !== undefined && !zip.entries.has(item.path))
  for (const item of missing.slice(0, namedLimit)) {
    problems.push({
      severity: inSpine.has(item) ? 'error' : 'warning',
      code: 'resource_missing',
      message: `${item.path} is listed but not in the zip.`,
      place: path,
    })
  }
  if (missing.length > namedLimit) {
    const message = `${missing.length - namedLimit} more listed files are not in the zip.`
    problems.push({ severity: 'warning', code: 'resources_missing', message, place: path })
  }
}
