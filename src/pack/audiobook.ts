import { basename, extname } from 'node:path'
import { readSound, type Sound, type SoundChapter, type SoundTags } from '../books/audio/index.ts'
import { readSoundCover } from '../books/cover-file.ts'
import { imageEndings, imageFacts } from '../books/image.ts'
import { compactIsbn, isIsbn } from '../books/isbn.ts'
import { UsageFailure } from '../system/errors.ts'
import { given } from '../system/given.ts'
import { byName } from '../system/natural-order.ts'
import type { Warning } from '../system/warning.ts'
import type { World } from '../system/world.ts'
import { soundsIn } from './sounds-in.ts'

/** What a user says of an audiobook, in place of what its files say. */
export interface SaidOfBook {
  readonly title?: string | undefined
  readonly author?: readonly string[] | undefined
  readonly narrator?: readonly string[] | undefined
  readonly language?: string | undefined
  readonly isbn?: string | undefined
  /** An image file. */
  readonly cover?: string | undefined
}

/** A sound file of an audiobook. */
export interface Track {
  /** Where it is. */
  readonly file: string
  /** Its name in the package. */
  readonly name: string
  readonly title: string
  readonly mediaType: Sound['mediaType']
  /** In seconds. */
  readonly duration: number
  readonly chapters: readonly SoundChapter[]
}

export interface Audiobook {
  readonly title: string
  readonly authors: readonly string[]
  readonly narrators: readonly string[]
  readonly language?: string
  readonly publisher?: string
  readonly year?: string
  readonly isbn?: string
  readonly description?: string
  readonly tracks: readonly Track[]
  readonly cover?: { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }
  /** What the user should know of how it was read. */
  readonly warnings: readonly Warning[]
}

/** A file with what it says. */
interface Part extends Omit<Sound, 'tags'> {
  readonly file: string
  readonly tags: Omit<SoundTags, 'cover'>
}

/**
 * Reads the sound files of an audiobook, in a folder or one of them, in the order in which they are played. Throws
 * UsageFailure for what is no audiobook.
 */
export async function readAudiobook(
  source: string,
  said: SaidOfBook,
  { mayRead, signal }: Pick<World, 'mayRead' | 'signal'>,
  onFile: (file: string, done: number, all: number) => void,
): Promise<Audiobook> {
  const { sounds, images, leftOut } = await soundsIn(source)
  const asked = said.cover === undefined ? undefined : await readSoundCover(said.cover, mayRead)
  let embedded: Buffer | undefined
  const parts: Part[] = []
  for (const [done, file] of sounds.entries()) {
    signal.throwIfAborted()
    onFile(file, done, sounds.length)
    const { tags, ...sound } = await readSound(file, mayRead, signal)
    const { cover: own, ...others } = tags
    // Every track of a book may have the same picture.
    embedded ??= own
    parts.push({ file, tags: others, ...sound })
  }
  const warnings: Warning[] = []
  if (leftOut.length > 0) warnings.push(leftOutOf(source, leftOut))
  const ordered = inOrder(parts, warnings)
  const [beside] = images
  const bytes =
    asked ?? embedded ?? (beside === undefined ? undefined : await readSoundCover(beside, mayRead))
  return {
    ...describe(ordered, said, warnings),
    tracks: tracksOf(ordered),
    ...given({ cover: coverOf(bytes, warnings) }),
    warnings,
  }
}

/** By disc and track where every file has a place of its own, else by name. */
function inOrder(parts: readonly Part[], warnings: Warning[]): readonly Part[] {
  const places = parts.map(({ tags }) =>
    tags.track === undefined ? undefined : `${tags.disc ?? 1}.${tags.track}`,
  )
  const sorted = [...parts].sort((one, other) => byName(basename(one.file), basename(other.file)))
  const isNumbered = !places.includes(undefined) && new Set(places).size === places.length
  if (isNumbered) {
    return sorted.sort(
      ({ tags: a }, { tags: b }) => (a.disc ?? 1) - (b.disc ?? 1) || (a.track ?? 0) - (b.track ?? 0),
    )
  }
  if (parts.length > 1 && places.some(place => place !== undefined)) {
    warnings.push({
      code: 'track_numbers_unfit',
      message: 'not every file has a track number of its own, so the files are in the order of their names',
      hint: 'Correct the track numbers in the tags if another order is right.',
    })
  }
  return sorted
}

function describe(
  parts: readonly Part[],
  said: SaidOfBook,
  warnings: Warning[],
): Omit<Audiobook, 'tracks' | 'cover' | 'warnings'> {
  const first = <T>(read: (tags: Part['tags']) => T | undefined): T | undefined =>
    parts.map(({ tags }) => read(tags)).find(value => value !== undefined)
  const albums = [...new Set(parts.flatMap(({ tags }) => tags.album ?? []))]
  const title = said.title ?? albums[0] ?? (parts.length === 1 ? parts[0]?.tags.title : undefined)
  if (title === undefined) {
    throw new UsageFailure('no file says what the book is called', {
      code: 'no_title',
      hint: 'Give it with --title.',
    })
  }
  if (said.title === undefined && albums.length > 1) {
    warnings.push({
      code: 'several_titles',
      message: `the files name ${albums.length} books, of which the first is taken: ${albums.slice(0, 3).join(', ')}`,
      hint: 'Give the title with --title, or pack each book by itself.',
    })
  }
  const written = first(({ isbn }) => isbn)
  const isbn = said.isbn ?? (written && isIsbn(compactIsbn(written)) ? compactIsbn(written) : undefined)
  if (written !== undefined && isbn === undefined) {
    warnings.push({
      code: 'isbn_invalid',
      message: `the ISBN ${written.slice(0, 100)} in the tags is not valid, so it is left out`,
      hint: 'Give it with --isbn.',
    })
  }
  return {
    title,
    authors: said.author ?? first(({ authors }) => authors) ?? [],
    narrators: said.narrator ?? first(({ narrators }) => narrators) ?? [],
    ...given({
      language: said.language ?? first(({ language }) => language),
      publisher: first(({ publisher }) => publisher),
      year: first(({ year }) => year),
      isbn,
      description: first(({ description }) => description),
    }),
  }
}

function tracksOf(parts: readonly Part[]): Track[] {
  const digits = Math.max(2, String(parts.length).length)
  return parts.map(({ file, mediaType, duration, chapters, tags }, index) => ({
    file,
    name: `audio/${String(index + 1).padStart(digits, '0')}${mediaType === 'audio/mpeg' ? '.mp3' : '.m4a'}`,
    title: tags.title ?? basename(file, extname(file)),
    mediaType,
    duration: Math.round(duration * 1000) / 1000,
    chapters: chapters
      .filter(({ start }) => start <= duration)
      .map(({ title, start }, at) => ({ title: title || `Chapter ${at + 1}`, start })),
  }))
}

function coverOf(bytes: Buffer | undefined, warnings: Warning[]): Audiobook['cover'] {
  if (bytes === undefined) return undefined
  const { mediaType } = imageFacts(bytes) ?? {}
  const [ending] = imageEndings[mediaType ?? ''] ?? []
  if (mediaType === undefined || ending === undefined) {
    warnings.push({
      code: 'cover_unreadable',
      message: 'the cover in the tags is no image that can be read, so it is left out',
      hint: 'Give one with --cover.',
    })
    return undefined
  }
  return { name: `cover${ending}`, mediaType, bytes }
}

function leftOutOf(source: string, names: readonly string[]): Warning {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  return {
    code: 'left_out',
    message: `the book has nothing of these in ${source}: ${names.slice(0, 5).join(', ')}${more}`,
  }
}
