import { UsageFailure } from '../../system/errors.ts'
import { given } from '../../system/given.ts'
import { type Atom, atomAt, atomsIn } from './atoms.ts'
import {
  chapterLimit,
  type SoundChapter,
  type SoundTags,
  tagLanguage,
  tagNames,
  tagText,
  tagYear,
} from './sound.ts'
import { bytesAt, type SoundFile } from './window.ts'

/** What is read of the description of a file at most; covers take the most of it. */
const limit = 128 * 1024 * 1024

/** The samples of protected sound: those of Apple's stores and of Audible. */
const protectedSamples = ['enca', 'drms', 'aavd']

interface Mp4 {
  readonly duration: number | undefined
  readonly tags: SoundTags
  readonly chapters: readonly SoundChapter[]
}

/** Reads the description of an MP4 file; undefined if it has none. Throws UsageFailure for a protected one. */
export async function readMp4(path: string, file: SoundFile): Promise<Mp4 | undefined> {
  const bytes = await descriptionOf(file)
  if (bytes === undefined) return undefined
  const moov: Atom = { type: 'moov', start: 0, end: bytes.length }
  const tracks = atomsIn(bytes, 0, bytes.length).filter(({ type }) => type === 'trak')
  const sound = tracks.find(track => textAt(bytes, atomAt(bytes, track, 'mdia/hdlr'), 8) === 'soun')
  if (sound === undefined) return undefined
  const samples = atomAt(bytes, sound, 'mdia/minf/stbl/stsd')
  if (protectedSamples.includes(textAt(bytes, samples, 12) ?? '')) {
    throw new UsageFailure(`${path} is protected against copying`, {
      code: 'file_unreadable',
      hint: 'Use the file as it was before it was protected.',
    })
  }
  const media = timesOf(bytes, atomAt(bytes, sound, 'mdia/mdhd'))
  const { duration } = media?.duration ? media : (timesOf(bytes, atomAt(bytes, moov, 'mvhd')) ?? {})
  const list = atomAt(bytes, moov, 'udta/meta/ilst')
  const tags = list ? tagsOf(bytes, list) : {}
  const listed = await trackChapters(file, bytes, sound, tracks)
  return {
    duration: duration || undefined,
    tags: { ...given({ language: tagLanguage(media?.language) }), ...tags },
    chapters: listed.length > 0 ? listed : neroChapters(bytes, atomAt(bytes, moov, 'udta/chpl')),
  }
}

/** The content of the atom `moov`, wherever it is in the file. */
async function descriptionOf(file: SoundFile): Promise<Buffer | undefined> {
  for (let at = 0, count = 0; at + 8 <= file.bytes && count < 10_000; count++) {
    const head = await bytesAt(file, at, 16, 16)
    if (head.length < 8) return undefined
    const size = head.readUInt32BE(0)
    const isLong = size === 1 && head.length === 16
    const whole = isLong ? Number(head.readBigUInt64BE(8)) : size === 0 ? file.bytes - at : size
    const skipped = isLong ? 16 : 8
    if (whole < skipped || whole > file.bytes - at) return undefined
    if (head.toString('latin1', 4, 8) === 'moov')
      return whole > limit ? undefined : await bytesAt(file, at + skipped, whole - skipped, limit)
    at += whole
  }
  return undefined
}

/** Four letters at a place of an atom. */
const textAt = (bytes: Buffer, atom: Atom | undefined, at: number): string | undefined =>
  atom && atom.start + at + 4 <= atom.end
    ? bytes.toString('latin1', atom.start + at, atom.start + at + 4)
    : undefined

/** The seconds of a header of a file or of its media, and the language of the latter. */
function timesOf(
  bytes: Buffer,
  atom: Atom | undefined,
): { scale: number; duration: number; language: string } | undefined {
  if (atom === undefined) return undefined
  const isLong = bytes[atom.start] === 1
  const at = atom.start + (isLong ? 20 : 12)
  if (at + (isLong ? 14 : 10) > atom.end) return undefined
  const scale = bytes.readUInt32BE(at)
  const units = isLong ? Number(bytes.readBigUInt64BE(at + 4)) : bytes.readUInt32BE(at + 4)
  const packed = bytes.readUInt16BE(at + (isLong ? 12 : 8))
  const language = [10, 5, 0].map(shift => String.fromCharCode(((packed >> shift) & 31) + 0x60)).join('')
  // All ones mean that it is not known.
  const isKnown = scale > 0 && units !== 0xffffffff && units < 2 ** 60
  return { scale, duration: isKnown ? units / scale : 0, language }
}

function tagsOf(bytes: Buffer, list: Atom): SoundTags {
  const values = new Map<string, Buffer>()
  for (const item of atomsIn(bytes, list.start, list.end)) {
    const data = atomAt(bytes, item, 'data')
    if (data === undefined || data.start + 8 > data.end) continue
    const name = atomAt(bytes, item, 'name')
    const key =
      item.type === '----' && name
        ? `----:${bytes
            .toString('utf8', Math.min(name.start + 4, name.end), name.end)
            .slice(0, 100)
            .toUpperCase()}`
        : item.type
    if (!values.has(key)) values.set(key, bytes.subarray(data.start + 8, data.end))
  }
  const get = (...keys: string[]) =>
    keys.map(key => tagText(values.get(key)?.toString('utf8', 0, 100_000) ?? '')).find(Boolean)
  const numberOf = (key: string) => {
    const value = values.get(key)
    return value && value.length >= 4 ? value.readUInt16BE(2) || undefined : undefined
  }
  const cover = values.get('covr')
  return given({
    title: get('\xa9nam'),
    album: get('\xa9alb'),
    authors: tagNames(get('aART', '\xa9ART')),
    narrators: tagNames(get('\xa9nrt', '----:NARRATOR', '\xa9wrt')),
    publisher: get('\xa9pub', '----:PUBLISHER'),
    year: tagYear(get('\xa9day')),
    language: tagLanguage(get('----:LANGUAGE')),
    isbn: get('----:ISBN'),
    description: get('ldes', 'desc'),
    track: numberOf('trkn'),
    disc: numberOf('disk'),
    // A copy, since a part keeps the whole description in memory.
    cover: cover && Buffer.from(cover),
  })
}

/** The chapters of a list that many programs write. Its times are in tenths of microseconds. */
function neroChapters(bytes: Buffer, atom: Atom | undefined): SoundChapter[] {
  if (atom === undefined || atom.start + 9 > atom.end) return []
  const chapters: SoundChapter[] = []
  let at = atom.start + (bytes[atom.start] === 0 ? 5 : 9)
  while (at + 9 <= atom.end && chapters.length < chapterLimit) {
    const start = Number(bytes.readBigUInt64BE(at)) / 10_000_000
    const end = at + 9 + bytes.readUInt8(at + 8)
    if (end > atom.end) break
    chapters.push({ title: tagText(bytes.toString('utf8', at + 9, end)) ?? '', start })
    at = end
  }
  return chapters
}

/** The chapters that a track of texts holds, to which the track of sound refers. */
async function trackChapters(
  file: SoundFile,
  bytes: Buffer,
  sound: Atom,
  tracks: readonly Atom[],
): Promise<SoundChapter[]> {
  const reference = atomAt(bytes, sound, 'tref/chap')
  if (reference === undefined || reference.start + 4 > reference.end) return []
  const id = bytes.readUInt32BE(reference.start)
  const track = tracks.find(each => idOf(bytes, atomAt(bytes, each, 'tkhd')) === id)
  const scale = track && timesOf(bytes, atomAt(bytes, track, 'mdia/mdhd'))?.scale
  const table = track && atomAt(bytes, track, 'mdia/minf/stbl')
  if (table === undefined || !scale) return []
  const starts = startsOf(bytes, atomAt(bytes, table, 'stts'))
  const places = placesOf(bytes, table)
  const chapters: SoundChapter[] = []
  for (const [index, place] of places.entries()) {
    const start = starts[index]
    if (start === undefined) break
    const text = await bytesAt(file, place, 2 + 4096, 2 + 4096)
    if (text.length < 2) break
    const said = text.subarray(2, 2 + text.readUInt16BE(0))
    const isWide = said[0] === 0xfe && said[1] === 0xff
    const title = isWide ? new TextDecoder('utf-16be').decode(said) : said.toString('utf8')
    chapters.push({ title: tagText(title) ?? '', start: start / scale })
  }
  return chapters
}

const idOf = (bytes: Buffer, atom: Atom | undefined): number | undefined => {
  if (atom === undefined) return undefined
  const at = atom.start + (bytes[atom.start] === 1 ? 20 : 12)
  return at + 4 <= atom.end ? bytes.readUInt32BE(at) : undefined
}

/** The rows of a table whose numbers have four bytes, from the one at `first` on. */
function numbersOf(bytes: Buffer, atom: Atom | undefined, first: number, most: number): number[] {
  const numbers: number[] = []
  if (atom === undefined) return numbers
  for (let at = atom.start + first; at + 4 <= atom.end && numbers.length < most; at += 4)
    numbers.push(bytes.readUInt32BE(at))
  return numbers
}

/** When each sample begins, in units of the track. */
function startsOf(bytes: Buffer, atom: Atom | undefined): number[] {
  const rows = numbersOf(bytes, atom, 8, chapterLimit * 2)
  const starts: number[] = []
  let time = 0
  for (let row = 0; row + 1 < rows.length; row += 2) {
    for (let left = rows[row] as number; left > 0 && starts.length < chapterLimit; left--) {
      starts.push(time)
      time += rows[row + 1] as number
    }
  }
  return starts
}

/** Where each sample is in the file, by its chunk and by how long those before it are. */
function placesOf(bytes: Buffer, table: Atom): number[] {
  const size = atomAt(bytes, table, 'stsz')
  const same = numbersOf(bytes, size, 4, 1)[0] ?? 0
  const sizes = numbersOf(bytes, size, 12, chapterLimit)
  const long = atomAt(bytes, table, 'co64')
  const halves = numbersOf(bytes, long, 8, chapterLimit * 2)
  const chunks = long
    ? halves.flatMap((high, index) => (index % 2 === 0 ? [high * 2 ** 32 + (halves[index + 1] ?? 0)] : []))
    : numbersOf(bytes, atomAt(bytes, table, 'stco'), 8, chapterLimit)
  const rows = numbersOf(bytes, atomAt(bytes, table, 'stsc'), 8, chapterLimit * 3)
  const places: number[] = []
  let row = 0
  for (const [index, chunk] of chunks.entries()) {
    while (row + 3 < rows.length && (rows[row + 3] as number) <= index + 1) row += 3
    let place = chunk
    for (let left = rows[row + 1] ?? 1; left > 0 && places.length < chapterLimit; left--) {
      if (same === 0 && places.length >= sizes.length) return places
      const own = same || (sizes[places.length] as number)
      places.push(place)
      place += own
    }
  }
  return places
}
