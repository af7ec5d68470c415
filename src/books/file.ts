import { constants } from 'node:fs'
import { UsageFailure } from '../errors.ts'
import { close, fstat, open, read, stat } from '../system/files.ts'
import { unreadable } from '../system/unreadable.ts'

/** A file to read from. */
export interface OpenFile {
  readonly fd: number
  readonly bytes: number
  /** Fills a buffer with the bytes at a position, and returns how many there were. */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}

/**
 * Opens a regular file for reading. Anything else is refused before it is opened, because opening a pipe can wait forever,
 * and opening a device can have any effect. Throws UsageFailure `file_unreadable`.
 */
export async function openRegularFile(path: string): Promise<OpenFile> {
  try {
    requireRegularFile(path, await stat(path))
    // Non-blocking, in case the file was replaced by a pipe in the meantime.
    const fd = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = await fstat(fd)
      requireRegularFile(path, found)
      const fill: OpenFile['read'] = async (into, position) =>
        (await read(fd, into, 0, into.length, position)).bytesRead
      return {
        fd,
        bytes: found.size,
        read: found.size <= small ? fromMemory(found.size, fill) : fill,
        close: async () => await close(fd),
      }
    } catch (error) {
      await close(fd)
      throw error
    }
  } catch (error) {
    throw error instanceof UsageFailure ? error : unreadable(path, error)
  }
}

/** The largest cover that is read, from a book or from an image file, in bytes. */
export const coverLimit = 64 * 1024 * 1024

/** Throws UsageFailure `cover_too_large` for an image file that is larger than a cover may be. */
function refuseLargeCover(path: string, bytes: number): void {
  if (bytes <= coverLimit) return
  throw new UsageFailure(`${path} is larger than ${coverLimit / 2 ** 20} MiB, the most for a cover`, {
    code: 'cover_too_large',
    hint: 'Save a smaller image.',
  })
}

/** The bytes of an image file that is a cover. Throws UsageFailure `file_unreadable` and `cover_too_large`. */
export async function readCoverFile(path: string): Promise<Buffer> {
  const file = await openRegularFile(path)
  try {
    refuseLargeCover(path, file.bytes)
    const content = Buffer.alloc(file.bytes)
    for (let filled = 0; filled < content.length; ) {
      const bytesRead = await file.read(content.subarray(filled), filled)
      if (bytesRead === 0) return content.subarray(0, filled)
      filled += bytesRead
    }
    return content
  } catch (error) {
    throw error instanceof UsageFailure ? error : unreadable(path, error)
  } finally {
    await file.close()
  }
}

/** Files up to this many bytes are read at once, because many small reads would take several times as long. */
const small = 1024 * 1024

/** Reads from memory; the first read loads the complete file. */
function fromMemory(bytes: number, fill: OpenFile['read']): OpenFile['read'] {
  const load = async () => {
    const content = Buffer.alloc(bytes)
    return content.subarray(0, await fill(content, 0))
  }
  let loaded: Promise<Buffer> | undefined
  return async (into, position) => {
    loaded ??= load()
    return (await loaded).copy(into, 0, position)
  }
}

function requireRegularFile(path: string, found: { isFile(): boolean; isDirectory(): boolean }): void {
  if (found.isFile()) return
  const what = found.isDirectory() ? 'a folder' : 'a pipe, socket or device'
  throw new UsageFailure(`${path} is ${what}, not a file`, {
    code: 'file_unreadable',
    hint: found.isDirectory()
      ? 'Name the file itself. An unpacked EPUB has to be zipped first.'
      : 'Save it as a file first.',
  })
}
