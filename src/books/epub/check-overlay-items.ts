import { quotedText } from '../book.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { isEpub3, type Package, valuesOf } from './package.ts'

export const overlayType = 'application/smil+xml'

/** Adds what is wrong with how the manifest names the media overlays of an EPUB 3, and with their durations. */
export function checkOverlayItems(from: Package, problems: Problems): void {
  if (!isEpub3(from)) return
  const add = problemsIn(problems, from.path)
  const read = from.items.filter(({ mediaOverlay }) => mediaOverlay !== undefined)
  const withDuration = new Set<string>()
  for (const { mediaOverlay = '', mediaType, href, position } of read) {
    const overlay = from.itemById.get(mediaOverlay)
    if (overlay?.mediaType !== overlayType) {
      const what = overlay === undefined ? 'not in the manifest' : `no media overlay but ${overlay.mediaType}`
      add('warning', 'overlay_wrong', `The media overlay ${quotedText(mediaOverlay)} is ${what}.`, position)
    }
    if (mediaType !== 'application/xhtml+xml' && mediaType !== 'image/svg+xml') {
      add('warning', 'overlay_wrong', `${quotedText(href)} is no page, and has a media overlay.`, position)
    }
    if (withDuration.has(mediaOverlay)) continue
    withDuration.add(mediaOverlay)
    if (valuesOf(from, 'media:duration', mediaOverlay).length > 0) continue
    const message = `The metadata do not say how long ${quotedText(mediaOverlay)} is (media:duration).`
    add('warning', 'overlay_duration_missing', message, overlay?.position ?? position)
  }
  if (read.length > 0 && valuesOf(from, 'media:duration').length === 0) {
    const message = 'The metadata do not say how long the media overlays are in all (media:duration).'
    add('warning', 'overlay_duration_missing', message, read[0]?.position)
  }
}
