import { fstatSync, statSync, writeSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Writable } from 'node:stream'

/** A terminal, which is a stream of Node. */
export type Terminal = Writable & {
  readonly isTTY: true
  readonly columns?: number
  readonly rows?: number
}

interface PipeOrFile {
  readonly isTTY?: false | undefined
  /** Calls `done` when the text was written, or with an error. */
  write(text: string | Uint8Array, done: (error?: NodeJS.ErrnoException | null) => void): unknown
}

/** Where output goes: a terminal, or a pipe or file. */
export type OutputStream = Terminal | PipeOrFile

/**
 * Opens standard output or standard error. Creating a stream takes Node a fifth of the time of a short command, so pipes and
 * files are written directly, synchronously like Node does.
 */
export function openOutput(fd: 1 | 2, platform: NodeJS.Platform): OutputStream {
  if (platform === 'win32' || !isPipeOrFile(fd)) return streamOf(fd)
  let stream: OutputStream | undefined
  return {
    write(text, done) {
      if (stream) return stream.write(text, done)
      let left = text
      try {
        // A text is mostly taken as a whole, and then no buffer is made of it.
        const written = writeSync(fd, text as string)
        if (written === Buffer.byteLength(text)) return done()
        left = Buffer.from(text).subarray(written)
        while (left.length > 0) left = left.subarray(writeSync(fd, left))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'EAGAIN') return done(error as NodeJS.ErrnoException)
        // Another program made this pipe non-blocking. Node's stream can wait for it.
        stream = streamOf(fd)
        return stream.write(left, done)
      }
      return done()
    },
  }
}

function streamOf(fd: 1 | 2): OutputStream {
  const stream = fd === 1 ? process.stdout : process.stderr
  // Each write reports its own error. Without a listener, Node would also end the process with a stack trace.
  if (stream.listenerCount('error') === 0) stream.on('error', () => undefined)
  return stream as OutputStream
}

function isPipeOrFile(fd: number): boolean {
  try {
    const stats = fstatSync(fd)
    if (stats.isCharacterDevice()) return stats.rdev === statSync(devNull).rdev
    return stats.isFile() || stats.isFIFO() || stats.isSocket()
  } catch {
    return false
  }
}
