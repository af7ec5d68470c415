import { UsageFailure } from '../../system/errors.ts'
import type { MayRead } from '../../system/may-read.ts'
import { openFile } from '../../system/open-file.ts'
import { unreadable } from '../../system/unreadable.ts'
import { isCutSound } from '../file-kind.ts'
import { readId3 } from './id3.ts'
import { mp3Seconds } from './mp3.ts'
import { readMp4 } from './mp4.ts'
import type { Sound } from './sound.ts'
import { bytesAt, type SoundFile, windowOf } from './window.ts'

export type { Sound, SoundChapter, SoundTags } from './sound.ts'

/** How many bytes of a file's beginning tell whether it ends early. */
const startBytes = 64 * 1024

/**
 * Reads the tags, the chapters and the playing time of an MP3 or MP4 file. Throws UsageFailure `file_unreadable` if it cannot
 * be read, or is neither.
 */
export async function readSound(path: string, mayRead: MayRead, signal?: AbortSignal): Promise<Sound> {
  const file = await openFile(path, mayRead)
  try {
    return await soundIn(path, file, signal)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'read' ? unreadable(path, error) : error
  } finally {
    await file.close()
  }
}

/** The same of an open file. */
export async function soundIn(path: string, file: SoundFile, signal?: AbortSignal): Promise<Sound> {
  const start = await bytesAt(file, 0, startBytes, startBytes)
  if (start.toString('latin1', 4, 8) === 'ftyp') {
    if (isCutSound(start, file.bytes)) throw unfit(path, 'ends before it is complete')
    const found = await readMp4(path, file)
    if (found === undefined) throw unfit(path, 'has no sound that pubctl finds')
    const { duration, ...rest } = found
    if (duration === undefined) throw unfit(path, 'does not say how long it plays')
    return { mediaType: 'audio/mp4', duration, ...rest }
  }
  const { end, ...rest } = await readId3(file)
  const duration = await mp3Seconds(windowOf(file, signal), end, file.bytes)
  if (duration === undefined) throw unfit(path, 'is neither MP3 nor MP4')
  return { mediaType: 'audio/mpeg', duration, ...rest }
}

const unfit = (path: string, what: string): UsageFailure =>
  new UsageFailure(`${path} ${what}`, {
    code: 'file_unreadable',
    hint: 'Export it again as MP3, M4A or M4B.',
  })
