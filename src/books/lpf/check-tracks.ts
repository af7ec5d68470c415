import { playingTime } from '../audio/playing-time.ts'
import { quotedText } from '../book.ts'
import { isCutSound, isNoMedia, isOfKind, isSoundless, otherSound } from '../file-kind.ts'
import { resolveHref } from '../href.ts'
import type { problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import type { LinkedResource } from './manifest.ts'

/**
 * How many bytes of a track's beginning tell of which kind it is; how many are inflated where it is not stored; and how many of
 * a book are measured, which takes about as long as to compare them with their checksums.
 */
const limits = { start: 64 * 1024, inflated: 64 * 2 ** 20, measured: 512 * 2 ** 20 }

/** By how many seconds the playing time of a track may differ from what is said: players and programs round. */
const tolerance = 2

/**
 * Adds the tracks in the zip that are empty, that are no sound, that end early, or that do not play as long as the manifest says.
 * Returns how long each one plays, in seconds; undefined where it lies elsewhere or cannot be measured.
 */
export async function checkTracks(
  zip: Zip,
  base: string,
  tracks: readonly LinkedResource[],
  add: ReturnType<typeof problemsIn>,
): Promise<(number | undefined)[]> {
  const measured = new Map<string, number | undefined>()
  const found: (number | undefined)[] = []
  const unmeasured: string[] = []
  let left = limits.measured
  for (const { url, duration, mediaType } of tracks) {
    const path = resolveHref(base, url)
    const name = path && zip.nameAt(path)
    if (!name) {
      found.push(undefined)
      continue
    }
    if (!measured.has(name)) {
      const bytes = zip.entries.get(name)?.uncompressedSize ?? 0
      const isMeasured = bytes <= left
      if (isMeasured) left -= bytes
      else unmeasured.push(name)
      measured.set(name, await checkTrack(zip, name, mediaType, isMeasured, add))
    }
    const seconds = measured.get(name)
    found.push(seconds)
    // A part of a file is a track of its own, and plays as long as the part.
    if (seconds === undefined || duration === undefined || url.includes('#')) continue
    if (Math.abs(seconds - duration) > tolerance)
      add('warning', 'track_duration_wrong', trackText(name, duration, seconds))
  }
  const [first] = unmeasured
  if (first !== undefined) {
    const others = unmeasured.length === 1 ? '' : `, nor of ${unmeasured.length - 1} other tracks`
    const message = `How long ${quotedText(first)} plays is not measured${others}: pubctl measures ${limits.measured / 2 ** 20} MiB of a book.`
    add('information', 'track_unmeasured', message)
  }
  return found
}

const trackText = (name: string, said: number, seconds: number): string =>
  `The track ${quotedText(name)} plays ${rounded(seconds)} seconds, and the manifest says ${rounded(said)}.`

const rounded = (seconds: number): string => seconds.toLocaleString('en', { maximumFractionDigits: 1 })

/** Adds what is wrong with the file of a track. Returns how long it plays. */
async function checkTrack(
  zip: Zip,
  name: string,
  mediaType: string | undefined,
  isMeasured: boolean,
  add: ReturnType<typeof problemsIn>,
): Promise<number | undefined> {
  const bytes = zip.entries.get(name)?.uncompressedSize
  if (bytes === undefined) return undefined
  try {
    const start = await zip.readStart(name, limits.start)
    const other = mediaType === undefined ? undefined : otherSound(mediaType, start)
    if (other)
      add(
        'warning',
        'sound_type_wrong',
        `The track ${quotedText(name)} is declared as ${mediaType} but is ${other}.`,
      )
    if (bytes === 0) add('error', 'resource_empty', `The track ${quotedText(name)} is empty.`)
    else if (!isOfKind('sound', start) && isNoMedia(start)) {
      add('error', 'sound_unreadable', `The track ${quotedText(name)} is a text or empty, and no sound.`)
    } else if (isSoundless(start)) {
      add('error', 'sound_unreadable', `The track ${quotedText(name)} is of another kind, and no sound.`)
    } else if (isCutSound(start, bytes)) {
      add('error', 'sound_cut', `The track ${quotedText(name)} ends before it is complete.`)
    } else if (isMeasured) return await playingTime(await zip.open(name, limits.inflated))
  } catch (error) {
    // What is damaged is said of every entry.
    if (!(error instanceof EntryError)) throw error
  }
  return undefined
}
