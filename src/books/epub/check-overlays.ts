import { quotedText } from '../book.ts'
import { resolveInBook } from '../href.ts'
import type { Position } from '../position.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { overlayType } from './check-overlay-items.ts'
import { isCore } from './media-types.ts'
import { isEpub3, type ManifestItem, type Package, valuesOf } from './package.ts'
import type { ScannedDocument } from './scanned-document.ts'

/** The media overlays of a book against the pages that they read aloud. */
export interface Overlays {
  /** Notes what was found in a document, be it an overlay or a page. */
  add(item: ManifestItem, path: string, scanned: ScannedDocument): void
  check(problems: Problems): void
}

export function createOverlays(zip: Zip, from: Package): Overlays {
  /** By page, the overlay that reads it first. */
  const readers = new Map<string, string>()
  const overlays = new Set<string>()
  const unstyled = new Set<ManifestItem>()
  const said: { path: string; message: string; position?: Position }[] = []
  const addOverlay = (item: ManifestItem, path: string, { references }: ScannedDocument): void => {
    overlays.add(item.id)
    for (const { href, kind, element, line, column } of references) {
      const position = { line, column }
      const target = zip.nameAt(resolveInBook(path, href)?.path ?? '')
      const type = from.itemByPath.get(target)?.mediaType
      if (kind === 'reading') {
        const first = readers.get(target)
        if (first === undefined) readers.set(target, item.id)
        else if (first !== item.id && !said.some(one => one.path === path)) {
          said.push({ path, message: `${target} is read by two media overlays.`, position })
        }
      } else if (element === 'audio' && type !== undefined && !isCore(type)) {
        const message = `${quotedText(href)} is of the type ${type}, which not every reading system plays.`
        said.push({ path, message, position })
      }
    }
  }
  return {
    add(item, path, scanned) {
      if (item.mediaType === overlayType) addOverlay(item, path, scanned)
      else if (!scanned.hasStyle && !scanned.error) unstyled.add(item)
    },
    check(problems) {
      if (!isEpub3(from)) return
      for (const { path, message, position } of said)
        problemsIn(problems, path)('warning', 'overlay_wrong', message, position)
      const add = problemsIn(problems, from.path)
      const hasClass = ['media:active-class', 'media:playback-active-class'].some(
        property => valuesOf(from, property).length > 0,
      )
      for (const item of from.items) {
        const { path = '', mediaOverlay, position } = item
        const reader = readers.get(path)
        if (reader !== undefined && mediaOverlay === undefined) {
          add(
            'warning',
            'overlay_wrong',
            `${path} is read by ${quotedText(reader)}, and has no media overlay.`,
            position,
          )
        } else if (mediaOverlay !== undefined && overlays.has(mediaOverlay) && reader !== mediaOverlay) {
          add('warning', 'overlay_wrong', `The media overlay of ${path} does not read it.`, position)
        } else if (mediaOverlay !== undefined && hasClass && unstyled.has(item)) {
          const message = `${path} has no style for what is read, of which the metadata name the class.`
          add('warning', 'overlay_wrong', message, position)
        }
      }
    },
  }
}
