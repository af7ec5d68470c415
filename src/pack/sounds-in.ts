import type { Dirent } from 'node:fs'
import { extname, join } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import { readdir, stat } from '../system/files.ts'
import { byName } from '../system/natural-order.ts'
import { unreadable } from '../system/unreadable.ts'

const packed = ['.mp3', '.m4a', '.m4b']
/** Sound that a book would miss if it were left out. */
const otherSounds = [
  '.aac',
  '.aax',
  '.aaxc',
  '.aif',
  '.aiff',
  '.flac',
  '.mp4',
  '.oga',
  '.ogg',
  '.opus',
  '.wav',
  '.wma',
]
/** What programs call the picture of a folder. */
const coverName = /^(?:cover|folder|front)\.(?:jpe?g|png|webp)$/i

/** The sound files of a book, the pictures beside them that are its cover, and what else is there. */
interface Found {
  readonly sounds: readonly string[]
  readonly images: readonly string[]
  readonly leftOut: readonly string[]
}

/** Looks for the sound files of a book: those in a folder, or the one that is named. Throws UsageFailure if there are none. */
export async function soundsIn(source: string): Promise<Found> {
  const found = await stat(source).catch(error => {
    throw unreadable(source, error)
  })
  if (!found.isDirectory()) {
    if (packed.includes(endingOf(source))) return { sounds: [source], images: [], leftOut: [] }
    throw new UsageFailure(`${source} is neither a folder nor an .mp3, .m4a or .m4b file`, {
      hint: 'Name the folder that holds the sound files of one book.',
    })
  }
  const entries = await entriesOf(source)
  const names = entries.map(({ name }) => name).filter(name => !name.startsWith('.'))
  const folders = new Set(entries.filter(entry => entry.isDirectory()).map(({ name }) => name))
  const files = names.filter(name => !folders.has(name))
  const unfit = files.filter(name => otherSounds.includes(endingOf(name)))
  if (unfit.length > 0) {
    throw new UsageFailure(`${join(source, unfit[0] ?? '')} is neither MP3 nor M4A`, {
      hint: 'Convert it first, or move it away: everything else in the folder would be packed without it.',
    })
  }
  const sounds = files.filter(name => packed.includes(endingOf(name)))
  if (sounds.length === 0) {
    throw new UsageFailure(`there are no sound files in ${source}`, {
      hint: 'They end in .mp3, .m4a or .m4b. Those in folders below it are not looked for.',
    })
  }
  const images = files.filter(name => coverName.test(name))
  const at = (name: string) => join(source, name)
  return {
    sounds: sounds.sort(byName).map(at),
    images: images.sort(byName).slice(0, 1).map(at),
    leftOut: names
      .filter(name => !sounds.includes(name) && name !== images[0])
      .map(name => (folders.has(name) ? `${name}/` : name))
      .sort(byName),
  }
}

const entriesOf = async (folder: string): Promise<Dirent[]> =>
  await readdir(folder, { withFileTypes: true }).catch(error => {
    throw unreadable(folder, error)
  })

const endingOf = (name: string): string => extname(name).toLowerCase()
