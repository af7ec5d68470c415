import { UsageFailure } from '../../system/errors.ts'
import { readId3 } from './id3.ts'
import { mp3Seconds } from './mp3.ts'
import { readMp4 } from './mp4.ts'
import { bytesAt, type SoundFile, windowOf } from './window.ts'

/** How long MP3 or MP4 plays, in seconds; undefined for other sound, and for what does not say it. */
export async function playingTime(file: SoundFile): Promise<number | undefined> {
  const start = (await bytesAt(file, 0, 8, 8)).toString('latin1')
  if (start.slice(4) === 'ftyp') return await mp4Seconds(file)
  if (!/^(?:ID3|\xFF[\xE2-\xFF])/.test(start)) return undefined
  const { end } = await readId3(file)
  return await mp3Seconds(windowOf(file), end, file.bytes)
}

async function mp4Seconds(file: SoundFile): Promise<number | undefined> {
  try {
    return (await readMp4('', file))?.duration
  } catch (error) {
    // Of sound that is protected against copying nothing can be said.
    if (error instanceof UsageFailure) return undefined
    throw error
  }
}
