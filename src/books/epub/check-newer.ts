import { type Problems, problemsIn } from '../problems.ts'
import { fallbacksOf, namedMeta, type Package, valuesOf } from './package.ts'

/** Types of images that are core types from EPUB 3.4 on (https://www.w3.org/TR/epub-34/#sec-core-media-types). */
const newerImages: Readonly<Record<string, string>> = { 'image/avif': 'AVIF', 'image/jxl': 'JPEG XL' }

/**
 * Adds what EPUB 3.4 has and earlier ones have not. A package document says of EPUB 3.4 as of every EPUB 3 that it is 3.0, so
 * that nobody can tell whether it is meant; of EPUB 2 it is wrong.
 */
export function checkNewer(from: Package, problems: Problems): void {
  const { element, items, path, version } = from
  const add = problemsIn(problems, path)
  const severity = version?.startsWith('3') ? 'information' : 'warning'
  const layout = valuesOf(from, 'rendition:layout')[0] ?? namedMeta(from, 'rendition:layout')
  if (layout === 'roll') {
    const message =
      'The layout is roll, which EPUB has from 3.4 on; earlier reading systems may show the book as reflowable.'
    add(severity, 'layout_roll', message, element.position)
  }
  for (const [mediaType, name] of Object.entries(newerImages)) {
    const found = items.filter(
      item =>
        item.mediaType === mediaType &&
        !fallbacksOf(from, item).some(each => newerImages[each.mediaType] === undefined),
    )
    const [first] = found
    if (first === undefined) continue
    const images = found.length === 1 ? 'One image is' : `${found.length.toLocaleString('en')} images are`
    const message = `${images} ${name}, a core type from EPUB 3.4 on; before, it is a foreign one that needs a fallback.`
    add(severity, 'image_type_new', message, first.position)
  }
}
