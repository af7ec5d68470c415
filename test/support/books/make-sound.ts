/** A frame of silence: MPEG 1, layer III, 128 kbit/s, 44.1 kHz, stereo; 1152 samples in 417 bytes. */
const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])

/** How long a frame plays, in seconds. */
export const frameSeconds = 1152 / 44_100

interface Mp3Parts {
  readonly frames?: number
  /** Frames of the tag, by their names; a text is written in UTF-8. */
  readonly tags?: Readonly<Record<string, string | Buffer>>
  readonly chapters?: readonly { readonly title: string; readonly start: number }[]
  /** Put between the tag and the sound. */
  readonly before?: Buffer
  readonly after?: Buffer
}

/** An MP3 file with an ID3v2.4 tag. */
export function makeMp3({ frames = 100, tags = {}, chapters = [], before, after }: Mp3Parts = {}): Buffer {
  const inner = Buffer.concat([
    ...Object.entries(tags).map(([id, value]) =>
      id3Frame(id, typeof value === 'string' ? text(value) : value),
    ),
    ...chapters.map(({ title, start }, index) => {
      const times = Buffer.alloc(16, 0xff)
      times.writeUInt32BE(start * 1000)
      return id3Frame(
        'CHAP',
        Buffer.concat([Buffer.from(`c${index}\0`), times, id3Frame('TIT2', text(title))]),
      )
    }),
  ])
  const head = Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), syncsafe(inner.length)])
  return Buffer.concat([
    ...(inner.length > 0 ? [head, inner] : []),
    before ?? Buffer.alloc(0),
    ...Array<Buffer>(frames).fill(frame),
    after ?? Buffer.alloc(0),
  ])
}

/** The first frame of a file whose frames differ in size: a table, which is not played. */
export const xingFrame = (): Buffer => {
  const table = Buffer.from(frame)
  table.write('Xing', 36, 'latin1')
  return table
}

/** A picture in an ID3 tag. */
export const picture = (image: Buffer): Buffer =>
  Buffer.concat([Buffer.from('\x03image/png\0\x03\0', 'latin1'), image])

const text = (value: string): Buffer => Buffer.from(`\x03${value}`)

const id3Frame = (id: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id), syncsafe(content.length), Buffer.alloc(2), content])

const syncsafe = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map(shift => (size >> shift) & 0x7f))

interface M4bParts {
  readonly seconds?: number
  /** Texts by the names of their atoms. */
  readonly tags?: Readonly<Record<string, string>>
  readonly cover?: Buffer
  readonly chapters?: readonly { readonly title: string; readonly start: number }[]
  /** Where the chapters are: in a track of texts, or in a list. */
  readonly chaptersIn?: 'track' | 'list'
  /** The kind of samples. */
  readonly samples?: string
  readonly language?: string
}

/** An MP4 file of sound, with its description at the end. */
export function makeM4b(parts: M4bParts = {}): Buffer {
  const { seconds = 60, chapters = [], chaptersIn = 'track', samples = 'mp4a', language = 'eng' } = parts
  const type = atom('ftyp', Buffer.from('M4B \0\0\0\0M4B isom', 'latin1'))
  const names = chapters.map(({ title }) => Buffer.concat([number(title.length, 2), Buffer.from(title)]))
  const content = Buffer.concat([Buffer.alloc(64, 1), ...names])
  const places = names.map((_, index) =>
    number(type.length + 8 + 64 + Buffer.concat(names.slice(0, index)).length, 4),
  )
  const times = (of: number, more: Buffer = Buffer.alloc(0)) =>
    Buffer.concat([Buffer.alloc(12), number(1000, 4), number(of * 1000, 4), more])
  const packed = number(
    [...language].reduce((all, letter) => all * 32 + letter.charCodeAt(0) - 0x60, 0),
    2,
  )
  const media = (kind: string, table: Buffer) =>
    atom(
      'mdia',
      atom('mdhd', times(seconds, packed)),
      atom('hdlr', Buffer.concat([Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(12)])),
      atom('minf', atom('stbl', table)),
    )
  const hasTrack = chapters.length > 0 && chaptersIn === 'track'
  const sound = atom(
    'trak',
    atom('tkhd', Buffer.concat([Buffer.alloc(12), number(1, 4)])),
    ...(hasTrack ? [atom('tref', atom('chap', number(2, 4)))] : []),
    media('soun', atom('stsd', Buffer.concat([Buffer.alloc(4), number(1, 4), atom(samples)]))),
  )
  const lengths = chapters.map(({ start }, index) => ((chapters[index + 1]?.start ?? seconds) - start) * 1000)
  const texts = atom(
    'trak',
    atom('tkhd', Buffer.concat([Buffer.alloc(12), number(2, 4)])),
    media(
      'text',
      Buffer.concat([
        table(
          'stts',
          lengths.length,
          ...lengths.map(length => Buffer.concat([number(1, 4), number(length, 4)])),
        ),
        table('stsc', 1, number(1, 4), number(1, 4), number(1, 4)),
        atom('stsz', Buffer.alloc(8), number(names.length, 4), ...names.map(name => number(name.length, 4))),
        table('stco', places.length, ...places),
      ]),
    ),
  )
  const list = atom(
    'chpl',
    Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, chapters.length]),
    ...chapters.flatMap(({ title, start }) => [
      number(start * 10_000_000, 8),
      number(Buffer.byteLength(title), 1),
      Buffer.from(title),
    ]),
  )
  const data = (value: Buffer) => atom('data', Buffer.alloc(8), value)
  const tags = atom(
    'ilst',
    ...Object.entries(parts.tags ?? {}).map(([name, value]) => atom(name, data(Buffer.from(value)))),
    ...(parts.cover ? [atom('covr', data(parts.cover))] : []),
  )
  const described = [atom('meta', Buffer.alloc(4), tags), ...(chaptersIn === 'list' ? [list] : [])]
  return Buffer.concat([
    type,
    atom('mdat', content),
    atom(
      'moov',
      atom('mvhd', times(seconds)),
      sound,
      ...(hasTrack ? [texts] : []),
      atom('udta', ...described),
    ),
  ])
}

const atom = (type: string, ...content: readonly Buffer[]): Buffer => {
  const whole = Buffer.concat(content)
  return Buffer.concat([number(whole.length + 8, 4), Buffer.from(type, 'latin1'), whole])
}

const table = (type: string, count: number, ...rows: readonly Buffer[]): Buffer =>
  atom(type, Buffer.alloc(4), number(count, 4), ...rows)

const number = (value: number, bytes: 1 | 2 | 4 | 8): Buffer => {
  const written = Buffer.alloc(8)
  written.writeBigUInt64BE(BigInt(value))
  return written.subarray(8 - bytes)
}
