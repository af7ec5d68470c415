import { extname } from 'node:path'
import { UsageFailure } from '../../system/errors.ts'
import type { MayRead } from '../../system/may-read.ts'
import { readChunks } from '../../system/read-chunks.ts'
import { unreadable } from '../../system/unreadable.ts'

/** A sheet or an ONIX message that is open for reading. */
export interface Source {
  readonly path: string
  /** Which of the files that it names may be read. */
  readonly mayRead: MayRead
  /** Up to 64 KiB from its start, until more is read. */
  readonly start: Buffer
  /** The whole file, once; the memory of a chunk is used again for the next one. */
  readonly chunks: AsyncGenerator<Buffer>
  /** The SHA-256 of the chunks that were read, in hexadecimal; called once, at the end. A pipe cannot be read twice for it. */
  sha256(): string
  close(): Promise<void>
}

/** Opens a file or a pipe. Throws UsageFailure `file_unreadable`, also for an archive. */
export async function openInput(path: string, mayRead: MayRead): Promise<Source> {
  const rest = readChunks(path, mayRead)
  const read = async () => {
    try {
      return await rest.next()
    } catch (error) {
      throw inputFailure(path, error)
    }
  }
  const first = await read()
  const start = first.done ? Buffer.alloc(0) : first.value
  const fault = archives.find(({ magic }) => start.subarray(0, magic.length).equals(magic))
  if (fault) {
    await rest.return(undefined)
    throw new UsageFailure(`${path} ${fault.says}`, { code: 'file_unreadable', hint: fault.hint })
  }
  // Loaded for a sheet or a feed alone: whoever reads books has it in the same file.
  const { createHash } = await import('node:crypto')
  const hash = createHash('sha256')
  async function* chunks() {
    for (let next = first; !next.done; next = await read()) {
      hash.update(next.value)
      yield next.value
    }
  }
  const close = async () => void (await rest.return(undefined))
  return { path, mayRead, start, chunks: chunks(), sha256: () => hash.digest('hex'), close }
}

/** Whether a source is XML, by its name or its content; UTF-16 has a zero byte beside the less-than sign. */
export const isXml = ({ path, start }: Source): boolean =>
  ['.xml', '.onix', '.onx'].includes(extname(path).toLowerCase()) ||
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(start.subarray(0, 1024).toString('latin1'))

const archives = [
  { magic: Buffer.from([0x1f, 0x8b]), says: 'is compressed with gzip', hint: 'Unpack it first: gunzip.' },
  {
    magic: Buffer.from([0x50, 0x4b, 0x03, 0x04]),
    says: 'is a ZIP archive or an Excel workbook',
    hint: 'Unpack an archive; save a workbook as "CSV UTF-8".',
  },
  {
    magic: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
    says: 'is an old Excel workbook',
    hint: 'Save it as "CSV UTF-8" in the spreadsheet.',
  },
]

const inputFailure = (path: string, error: unknown): UsageFailure =>
  error instanceof UsageFailure ? error : unreadable(path, error)
