import { quotedText } from '../book.ts'
import { isCutSound, isNoMedia, isOfKind } from '../file-kind.ts'
import { resolveHref } from '../href.ts'
import type { problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import type { LinkedResource } from './manifest.ts'

/** How many bytes of a track's beginning tell of which kind it is. */
const startBytes = 64 * 1024

/** Adds the tracks in the zip that are empty, that are no sound, or that end early: listeners miss them. */
export async function checkTracks(
  zip: Zip,
  base: string,
  tracks: readonly LinkedResource[],
  add: ReturnType<typeof problemsIn>,
): Promise<void> {
  for (const path of new Set(tracks.flatMap(({ url }) => resolveHref(base, url) ?? []))) {
    const name = zip.nameAt(path)
    const bytes = zip.entries.get(name)?.uncompressedSize
    if (bytes === undefined) continue
    try {
      const start = await zip.readStart(name, startBytes)
      if (bytes === 0) add('error', 'resource_empty', `The track ${quotedText(name)} is empty.`)
      else if (!isOfKind('sound', start) && isNoMedia(start)) {
        add('error', 'sound_unreadable', `The track ${quotedText(name)} is a text or empty, and no sound.`)
      } else if (isCutSound(start, bytes)) {
        add('error', 'sound_cut', `The track ${quotedText(name)} ends before it is complete.`)
      }
    } catch (error) {
      // What is damaged is said of every entry.
      if (!(error instanceof EntryError)) throw error
    }
  }
}
