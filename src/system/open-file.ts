import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from 'node:fs'
import { textOfBytes } from './byte-order-mark.ts'
import { UsageFailure } from './errors.ts'
import { close, fstat, open, openPipe, read, readPipe, stat } from './files.ts'
import { type MayRead, notInRoot, outsideRoot } from './may-read.ts'
import { unreadable } from './unreadable.ts'

/** A file to read from. */
export interface OpenFile {
  readonly fd: number
  readonly bytes: number
  /** Its modification time when it was opened, in milliseconds since 1970. */
  readonly modified: number
  /** Fills a buffer with the bytes at a position, and returns how many there were. */
  read(into: Buffer, position: number): Promise<number>
  /** The bytes at a position, at most so many. Those of a small file are part of its `content`, so nobody may change them. */
  view(position: number, length: number): Promise<Buffer>
  /** All of a small file, in memory that nothing else is in, which `read` takes its bytes from. */
  readonly content?: () => Promise<Buffer>
  close(): Promise<void>
}

/** Gives the memory that so many bytes are read into, of which fewer may be filled. */
export type Allocate = (bytes: number) => Buffer

interface OpenOptions {
  /** Whether a pipe will do where `mayRead` allows one. It is read by its `fd`. */
  readonly mayBePipe?: boolean
  /** Gives what a small file is read into; without it, each has memory of its own. */
  readonly allocate?: Allocate | undefined
}

// Not to wait for a writer, in case the file was replaced by a pipe after it was looked at.
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file that is named by a user, a plan, a sheet, the journal or an agent: all of them are opened here. It must be a
 * regular file that may be read; anything else is refused before it is opened, because opening a pipe can wait forever, and
 * opening a device can have any effect. Throws UsageFailure `file_unreadable` and `outside_root`.
 */
export async function openFile(
  path: string,
  mayRead: MayRead,
  { mayBePipe = false, allocate = Buffer.allocUnsafeSlow }: OpenOptions = {},
): Promise<OpenFile> {
  if (!mayRead(path)) throw outsideRoot(notInRoot(path))
  const isPipeFit = mayBePipe && mayRead.orPipe === true
  try {
    const before = await stat(path)
    mustFit(path, before, isPipeFit)
    const fd = before.isFIFO() ? await openPipe(path, constants.O_RDONLY) : await open(path, withoutWaiting)
    try {
      const found = await fstat(fd)
      mustFit(path, found, isPipeFit)
      const fill: OpenFile['read'] = async (into, position) => await read(fd, into, 0, into.length, position)
      return {
        fd,
        bytes: found.size,
        modified: found.mtimeMs,
        ...(found.size <= small
          ? fromMemory(found.size, fill, allocate)
          : { read: fill, view: viewOf(fill) }),
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

/** Opens a regular file that `openFile` has opened once more, in a thread in which nothing else runs. The caller closes it. */
export function openFileSync(path: string): number {
  mustFit(path, statSync(path), false)
  const fd = openSync(path, withoutWaiting)
  try {
    mustFit(path, fstatSync(fd), false)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Whether a program that writes a file keeps others from doing so, as programs on Windows do until they are done. */
export async function isBeingWritten(path: string): Promise<boolean> {
  if (process.platform !== 'win32') return false
  try {
    await close(await open(path, 'r+'))
    return false
  } catch (error) {
    // A file may also be read-only.
    return (error as NodeJS.ErrnoException).code === 'EBUSY'
  }
}

/** The whole text of a small file or a pipe that the user names. Throws UsageFailure `file_unreadable`. */
export async function readTextFile(path: string, mayRead: MayRead, most: number): Promise<string> {
  const file = await openFile(path, mayRead, { mayBePipe: true })
  try {
    const parts: Buffer[] = []
    for (let length = 0; length <= most; ) {
      const part = Buffer.allocUnsafe(chunkSize)
      const { bytesRead } = await readPipe(file.fd, part, 0, part.length, null)
      if (bytesRead === 0) return textOfBytes(Buffer.concat(parts))
      parts.push(part.subarray(0, bytesRead))
      length += bytesRead
    }
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    await file.close()
  }
  throw new UsageFailure(`cannot read ${path}: it is larger than ${most} bytes`, {
    code: 'file_unreadable',
    hint: 'Check that it is the right file.',
  })
}

const chunkSize = 64 * 1024

/** Files up to this many bytes are read at once, because many small reads would take several times as long. */
const small = 1024 * 1024

const viewOf =
  (fill: OpenFile['read']): OpenFile['view'] =>
  async (position, length) => {
    const room = Buffer.allocUnsafe(length)
    return room.subarray(0, await fill(room, position))
  }

/** Reads from memory; the first read loads the complete file. */
function fromMemory(
  bytes: number,
  fill: OpenFile['read'],
  allocate: Allocate,
): Required<Pick<OpenFile, 'read' | 'view' | 'content'>> {
  const load = async () => {
    const all = allocate(bytes)
    return all.subarray(0, await fill(all, 0))
  }
  let loaded: Promise<Buffer> | undefined
  const content = () => {
    loaded ??= load()
    return loaded
  }
  return {
    content,
    read: async (into, position) => (await content()).subarray(position).copy(into),
    view: async (position, length) => (await content()).subarray(position, position + length),
  }
}

function mustFit(path: string, found: Stats, mayBePipe: boolean): void {
  if (found.isFile() || (mayBePipe && found.isFIFO())) return
  const what = found.isDirectory() ? 'a folder' : 'a pipe, socket or device'
  throw new UsageFailure(`${path} is ${what}, not a file`, {
    code: 'file_unreadable',
    hint: found.isDirectory()
      ? 'Name the file itself. An unpacked EPUB has to be zipped first.'
      : 'Save it as a file first.',
  })
}
