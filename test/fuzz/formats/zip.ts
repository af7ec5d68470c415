import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { type RawEntry, rawZip } from '../../support/books/hostile-zip.ts'
import type { Random } from '../random.ts'
import { bytes } from './bytes.ts'
import type { Format } from './format.ts'
import { json } from './json.ts'
import { oddTexts } from './odd-values.ts'
import { xml } from './xml.ts'

interface Archive {
  readonly entries: readonly RawEntry[]
  readonly comment: string
  /** Bytes behind the end. */
  readonly after: Buffer
}

/** No more of an entry is unpacked. */
const mostBytes = 256 * 1024

/** What a zip holds; undefined if its directory cannot be followed. */
function read(zip: Buffer): Archive | undefined {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || end + 22 > zip.length) return undefined
  const commentLength = zip.readUInt16LE(end + 20)
  const entries: RawEntry[] = []
  let at = zip.readUInt32LE(end + 16)
  try {
    for (let left = zip.readUInt16LE(end + 8); left > 0; left--) {
      if (zip.toString('latin1', at, at + 4) !== 'PK\x01\x02') return undefined
      const [nameLength, extraLength, noteLength] = [28, 30, 32].map(each => zip.readUInt16LE(at + each)) as [
        number,
        number,
        number,
      ]
      entries.push(entryAt(zip, at, zip.subarray(at + 46, at + 46 + nameLength)))
      at += 46 + nameLength + extraLength + noteLength
    }
  } catch {
    return undefined
  }
  const behind = end + 22 + commentLength
  return { entries, comment: zip.toString('utf8', end + 22, behind), after: zip.subarray(behind) }
}

function entryAt(zip: Buffer, at: number, name: Buffer): RawEntry {
  const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)]
  const [crc, compressedSize, size] = [16, 20, 24].map(each => zip.readUInt32LE(at + each)) as [
    number,
    number,
    number,
  ]
  const header = zip.readUInt32LE(at + 42)
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const body = zip.subarray(start, start + compressedSize)
  const unpacked = method === 8 ? inflated(body) : undefined
  const content = unpacked ?? Buffer.from(body)
  const isDeflated = unpacked !== undefined
  const written = isDeflated ? deflateRawSync(content, { level: 1 }).length : content.length
  const claims = {
    ...(size !== content.length && { size }),
    ...(compressedSize !== body.length && { compressedSize: written + compressedSize - body.length }),
    ...(crc !== crc32(content) && { crc }),
    ...(method !== (isDeflated ? 8 : 0) && { method }),
    ...(flags !== 0x800 && { flags }),
  }
  return { name: Buffer.from(name), content, isDeflated, ...(Object.keys(claims).length > 0 && { claims }) }
}

function inflated(body: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(body, { maxOutputLength: mostBytes })
  } catch {
    return undefined
  }
}

const write = ({ entries, comment, after }: Archive): Buffer =>
  Buffer.concat([rawZip(entries, comment.slice(0, 0xffff)), after])

const contentOf = ({ content }: RawEntry): Buffer => Buffer.from(content as string)

/** How the content of an entry is changed. */
function formatOf({ content }: RawEntry): Format {
  const [start] = /\S/.exec(Buffer.from(content as string).toString('latin1', 0, 200)) ?? ['']
  return start === '<' ? xml : start === '{' || start === '[' ? json : bytes
}

type Change = (entries: RawEntry[], at: number, random: Random) => void

const claiming =
  (claim: (random: Random, entry: RawEntry) => NonNullable<RawEntry['claims']>): Change =>
  (entries, at, random) => {
    const entry = entries[at] as RawEntry
    entries[at] = { ...entry, claims: { ...entry.claims, ...claim(random, entry) } }
  }

const sizes = [0, 1, 0x7fffffff, 0xfffffffe, 0xffffffff]

const changes: readonly Change[] = [
  (entries, at) => void entries.splice(at, 1),
  (entries, at, random) => void entries.splice(random.below(entries.length), 0, entries[at] as RawEntry),
  (entries, at, random) => void entries.splice(random.below(entries.length), 0, ...entries.splice(at, 1)),
  (entries, at, random) => {
    const name = random.pick([
      random.pick(oddTexts),
      random.pick(entries).name,
      `META-INF/${random.pick(['encryption.xml', 'container.xml', 'rights.xml', 'com.apple.ibooks.display-options.xml'])}`,
    ])
    entries[at] = { ...(entries[at] as RawEntry), name }
  },
  (entries, at, random) => {
    const entry = entries[at] as RawEntry
    entries[at] = {
      ...entry,
      name: random.pick([
        `${entry.name}/`,
        `./${entry.name}`,
        `${entry.name}`.toUpperCase(),
        `${entry.name}`.normalize('NFD'),
        encodeURI(`${entry.name}`),
      ]),
    }
  },
  (entries, at) => {
    const entry = entries[at] as RawEntry
    entries[at] = { ...entry, isDeflated: !entry.isDeflated }
  },
  claiming(random => ({ size: random.pick(sizes) })),
  claiming(random => ({ compressedSize: random.pick(sizes) })),
  claiming((_, entry) => ({ size: contentOf(entry).length + 1 })),
  claiming(random => ({ crc: random.below(2 ** 32) })),
  claiming(random => ({ method: random.pick([0, 8, 9, 12, 14, 97, 99]) })),
  claiming(random => ({ flags: random.pick([0, 1, 0x801, 0x808, 0x840, 0xffff]) })),
  (entries, at, random) => {
    const times = 2 + random.below(200)
    const entry = entries[at] as RawEntry
    entries.push(
      ...Array.from({ length: times }, (_, index) => ({ ...entry, name: `${entry.name}${index}` })),
    )
  },
]

/** Zips: entries are left out, repeated, moved and renamed, lie about themselves, and have their content changed by its kind. */
export const zip: Format = {
  mutate(input, random, other) {
    const archive = read(input)
    if (!archive || archive.entries.length === 0 || random.once(15)) return bytes.mutate(input, random, other)
    if (random.once(20)) return write({ ...archive, after: Buffer.from(random.pick(oddTexts)) })
    if (random.once(20))
      return write({ ...archive, comment: random.pick([...oddTexts, 'PK\x05\x06'.repeat(4)]) })
    const entries = [...archive.entries]
    const at = random.below(entries.length)
    if (random.once(4)) random.pick(changes)(entries, at, random)
    else {
      const entry = entries[at] as RawEntry
      const foreign = read(other)?.entries ?? []
      const format = formatOf(entry)
      const same = foreign.filter(each => formatOf(each) === format)
      const content = format.mutate(
        contentOf(entry),
        random,
        contentOf(same.length > 0 ? random.pick(same) : entry),
      )
      entries[at] = { ...entry, content: content.subarray(0, mostBytes) }
    }
    return write({ ...archive, entries })
  },
  *smaller(input) {
    const archive = read(input)
    if (!archive) return yield* bytes.smaller(input)
    const { entries } = archive
    if (archive.after.length > 0) yield write({ ...archive, after: Buffer.alloc(0) })
    if (archive.comment !== '') yield write({ ...archive, comment: '' })
    for (const [at] of entries.entries()) yield write({ ...archive, entries: entries.toSpliced(at, 1) })
    for (const [at, entry] of entries.entries()) {
      const { claims: _, ...honest } = entry
      if (entry.claims) yield write({ ...archive, entries: entries.with(at, honest) })
      if (contentOf(entry).length > 0)
        yield write({ ...archive, entries: entries.with(at, { ...entry, content: '' }) })
    }
    for (const [at, entry] of entries.entries())
      for (const content of formatOf(entry).smaller(contentOf(entry)))
        yield write({ ...archive, entries: entries.with(at, { ...entry, content }) })
  },
}
