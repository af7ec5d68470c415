import { fstatSync, statSync, writeSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Writable } from 'node:stream'

/** A terminal, with all that a stream of Node's can do. */
export type Terminal = Writable & { readonly isTTY: true; readonly columns?: number }

/** A pipe or a file. */
interface Plain {
  readonly isTTY?: false | undefined
  /** Calls `done` once the text was taken, or with what went wrong. */
  write(text: string | Uint8Array, done: (error?: NodeJS.ErrnoException | null) => void): unknown
}

/** Where output goes. */
export type Output = Terminal | Plain

/**
 * Standard output or standard error. To make a stream takes Node a fifth of the time that a short command has, and for a
 * pipe or a file it would do what is done here: hand the text to the system and wait.
 */
export function openOutput(fd: 1 | 2, platform: NodeJS.Platform): Output {
  if (platform === 'win32' || !isPlain(fd)) return streamOf(fd)
  let stream: Output | undefined
  return {
    write(text, done) {
      if (stream) return stream.write(text, done)
      let bytes = Buffer.from(text)
      try {
        while (bytes.length > 0) bytes = bytes.subarray(writeSync(fd, bytes))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'EAGAIN') return done(error as NodeJS.ErrnoException)
        // Another program has told the system not to wait at this pipe. Node's stream can do so by itself.
        stream = streamOf(fd)
        return stream.write(bytes, done)
      }
      return done()
    },
  }
}

function streamOf(fd: 1 | 2): Output {
  const stream = fd === 1 ? process.stdout : process.stderr
  // Each write is told of its own failure; without a listener Node would end the process with a trace as well.
  if (stream.listenerCount('error') === 0) stream.on('error', () => undefined)
  return stream as Output
}

function isPlain(fd: number): boolean {
  try {
    const stats = fstatSync(fd)
    if (stats.isCharacterDevice()) return stats.rdev === statSync(devNull).rdev
    return stats.isFile() || stats.isFIFO() || stats.isSocket()
  } catch {
    return false
  }
}
