import { given } from '../../system/given.ts'
import {
  chapterLimit,
  type SoundChapter,
  type SoundTags,
  tagLanguage,
  tagNames,
  tagNumber,
  tagText,
  tagYear,
} from './sound.ts'
import { bytesAt, type SoundFile } from './window.ts'

/** What is read of a tag at most. Covers take the most of it. */
const tagLimit = 64 * 1024 * 1024

/** The most frames of a tag that are looked at. */
const frameLimit = 20_000

interface Frame {
  readonly id: string
  readonly content: Buffer
}

interface Id3 {
  readonly tags: SoundTags
  readonly chapters: readonly SoundChapter[]
  /** Where the tag ends, and the sound begins. */
  readonly end: number
}

/** Reads the ID3v2 tag at the beginning of a file (https://id3.org/id3v2.4.0-structure, versions 2.2 to 2.4). */
export async function readId3(file: SoundFile): Promise<Id3> {
  const head = await bytesAt(file, 0, 10, 10)
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return { tags: {}, chapters: [], end: 0 }
  const [version = 0, , flags = 0] = head.subarray(3)
  const size = syncsafe(head, 6)
  const end = Math.min(file.bytes, 10 + size + (flags & 0x10 ? 10 : 0))
  const raw = await bytesAt(file, 10, size, tagLimit)
  const body = version < 4 && flags & 0x80 ? withoutSync(raw) : raw
  const start = version > 2 && flags & 0x40 ? extendedHeader(body, version) : 0
  const frames = [...framesIn(body.subarray(start), version)]
  return { tags: tagsOf(frames), chapters: chaptersOf(frames, version), end }
}

const syncsafe = (bytes: Buffer, at: number): number =>
  [0, 1, 2, 3].reduce((size, index) => size * 128 + ((bytes[at + index] ?? 0) & 0x7f), 0)

/** How long the extended header is; version 2.3 does not count the four bytes of its length. */
const extendedHeader = (body: Buffer, version: number): number => {
  if (body.length < 4) return 0
  return version === 4 ? syncsafe(body, 0) : body.readUInt32BE(0) + 4
}

/** Takes out the zeros that keep a tag from looking like sound. */
function withoutSync(bytes: Buffer): Buffer {
  const found = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    found[length++] = bytes[at] as number
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at++
  }
  return found.subarray(0, length)
}

function* framesIn(body: Buffer, version: number): Generator<Frame> {
  const [idLength, headLength] = version === 2 ? [3, 6] : [4, 10]
  let at = 0
  for (let count = 0; count < frameLimit && at + headLength <= body.length; count++) {
    const id = body.toString('latin1', at, at + idLength)
    if (!/^[A-Z\d]+$/.test(id)) return
    const size =
      version === 2
        ? body.readUIntBE(at + 3, 3)
        : version === 4
          ? syncsafe(body, at + 4)
          : body.readUInt32BE(at + 4)
    const flags = version === 2 ? 0 : body.readUInt8(at + 9)
    at += headLength
    // What goes beyond the tag is cut short or wrong.
    if (size > body.length - at) return
    const whole = body.subarray(at, at + size)
    at += size
    // Compressed and encrypted frames are left out.
    if (flags & (version === 4 ? 0x0c : 0xc0)) continue
    const content = version === 4 && flags & 0x01 ? whole.subarray(4) : whole
    yield { id, content: version === 4 && flags & 0x02 ? withoutSync(content) : content }
  }
}

/** The names of frames in version 2.2, which have three letters. */
const oldIds: Readonly<Record<string, string>> = {
  TT2: 'TIT2',
  TAL: 'TALB',
  TP1: 'TPE1',
  TP2: 'TPE2',
  TCM: 'TCOM',
  TPB: 'TPUB',
  TYE: 'TYER',
  TLA: 'TLAN',
  TRK: 'TRCK',
  TPA: 'TPOS',
  TXX: 'TXXX',
}

function tagsOf(frames: readonly Frame[]): SoundTags {
  const texts = new Map<string, string>()
  for (const { id, content } of frames) {
    const name = oldIds[id] ?? id
    if (name === 'TXXX') {
      const [key = '', ...value] = textOf(content).split('\0')
      texts.set(`TXXX:${key.toUpperCase()}`, value.join('\0'))
    } else if (name.startsWith('T') && !texts.has(name)) texts.set(name, textOf(content))
  }
  const get = (name: string) => tagText(texts.get(name)?.replaceAll('\0', '; ') ?? '')
  const cover = coverOf(frames)
  return given({
    title: get('TIT2'),
    album: get('TALB'),
    authors: tagNames(texts.get('TPE2') || texts.get('TPE1')),
    narrators: tagNames(texts.get('TXXX:NARRATOR') || texts.get('TCOM')),
    publisher: get('TPUB'),
    year: tagYear(texts.get('TDRC') ?? texts.get('TYER')),
    language: tagLanguage(texts.get('TLAN')?.split('\0')[0]),
    isbn: get('TXXX:ISBN'),
    description: get('TXXX:DESCRIPTION'),
    track: tagNumber(texts.get('TRCK')),
    disc: tagNumber(texts.get('TPOS')),
    cover,
  })
}

/** The picture that is called the front cover, else the first one. */
function coverOf(frames: readonly Frame[]): Buffer | undefined {
  const pictures = frames.flatMap(({ id, content }) => {
    if (id !== 'APIC' && id !== 'PIC') return []
    const typeAt = id === 'PIC' ? 4 : content.indexOf(0, 1) + 1
    const encoding = content[0] ?? 0
    const end = endOfText(content, typeAt + 1, encoding)
    return [{ kind: content[typeAt], image: content.subarray(end) }]
  })
  const { image } = pictures.find(({ kind }) => kind === 3) ?? pictures[0] ?? {}
  // A copy, since a part keeps the whole tag in memory.
  return image && image.length > 0 ? Buffer.from(image) : undefined
}

/** Where what follows a text begins, which ends with a zero, of two bytes in UTF-16. */
function endOfText(content: Buffer, start: number, encoding: number): number {
  if (encoding === 0 || encoding === 3) {
    const end = content.indexOf(0, start)
    return end < 0 ? content.length : end + 1
  }
  for (let at = start; at + 1 < content.length; at += 2)
    if (content[at] === 0 && content[at + 1] === 0) return at + 2
  return content.length
}

/** The text of a frame, in the encoding that its first byte names. Several values are separated by zeros. */
function textOf(content: Buffer): string {
  const bytes = content.subarray(1, 100_000)
  const text =
    content[0] === 0
      ? bytes.toString('latin1')
      : content[0] === 3
        ? bytes.toString('utf8')
        : utf16(bytes, content[0] === 2)
  let end = text.length
  while (text[end - 1] === '\0') end--
  return text.slice(0, end)
}

function utf16(bytes: Buffer, isBigEndian: boolean): string {
  const isMarked = bytes.length > 1 && (bytes[0] === 0xfe || bytes[0] === 0xff)
  const isBig = isMarked ? bytes[0] === 0xfe : isBigEndian
  return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes).replaceAll('\ufeff', '')
}

/** The chapters of a tag (https://id3.org/id3v2-chapters-1.0), in the order in which they are played. */
function chaptersOf(frames: readonly Frame[], version: number): SoundChapter[] {
  return frames
    .flatMap(({ id, content }) => {
      if (id !== 'CHAP') return []
      const at = content.indexOf(0) + 1
      if (at === 0 || at + 16 > content.length) return []
      const inner = [...framesIn(content.subarray(at + 16), version)].find(frame => frame.id === 'TIT2')
      const title = inner && tagText(textOf(inner.content))
      return [{ title: title ?? '', start: content.readUInt32BE(at) / 1000 }]
    })
    .sort((one, other) => one.start - other.start)
    .slice(0, chapterLimit)
}
