import { type Problems, problemsIn } from '../problems.ts'
import { doctypeFault } from './check-doctype.ts'
import { isEpub3, type ManifestItem, type Package, valuesOf } from './package.ts'
import type { ScannedDocument } from './scanned-document.ts'
import { viewportFault } from './viewport.ts'

/** Adds what is wrong with a document of the book in itself: its markup, its document type, the size of its page. */
export function checkDocument(
  item: ManifestItem,
  path: string,
  scanned: ScannedDocument,
  from: Package,
  fixed: ReadonlySet<ManifestItem>,
  problems: Problems,
): void {
  const add = problemsIn(problems, path)
  for (const fault of scanned.faults) {
    const { code, message } = fault
    // What EPUB 2 takes for markup is another list.
    if (isEpub3(from) || code === 'id_doubled' || code === 'style_malformed')
      add('warning', code, message, fault)
  }
  const wrongType = scanned.doctype && doctypeFault(scanned.doctype, item.mediaType, from.version)
  if (wrongType) add('warning', 'doctype_wrong', wrongType, 1)
  if (!fixed.has(item) || scanned.error || scanned.isCut) return
  if (item.mediaType === 'image/svg+xml') {
    if (scanned.isSized) return
    add('warning', 'viewport_wrong', 'The drawing is a page of a fixed layout, and does not say its size.')
    return
  }
  if (scanned.viewport === undefined) {
    add('warning', 'viewport_wrong', 'The page is of a fixed layout, and does not say its size (viewport).')
    return
  }
  const message = viewportFault(scanned.viewport.content)
  if (message) add('warning', 'viewport_wrong', message, scanned.viewport)
}

/** The pages of the reading order of an EPUB 3 that have a fixed layout. */
export function fixedPages(from: Package): Set<ManifestItem> {
  if (!isEpub3(from)) return new Set()
  const isFixedBook = valuesOf(from, 'rendition:layout')[0] === 'pre-paginated'
  return new Set(
    from.spine.flatMap(({ item, properties }) => {
      const isFixed =
        properties.includes('rendition:layout-pre-paginated') ||
        (isFixedBook && !properties.some(one => /^rendition:layout-(?:reflowable|roll)$/.test(one)))
      return item && isFixed ? [item] : []
    }),
  )
}
