import type { OpenFile } from '../../system/open-file.ts'

/** A file of sound, be it within a zip. */
export type SoundFile = Pick<OpenFile, 'bytes' | 'read'>

/** Bytes at a position of a file; fewer at its end. They are only valid until the next call. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

const windowSize = 256 * 1024

/** Reads a file a window at a time, so that walking through it costs few reads and little memory. */
export function windowOf(file: SoundFile, signal?: AbortSignal): ReadAt {
  const memory = Buffer.alloc(windowSize)
  let start = 0
  let filled = 0
  return async (position, length) => {
    if (position < start || position + length > start + filled) {
      // Reads of a quick disk never wait, and Ctrl-C is heard between turns only.
      await new Promise(setImmediate)
      signal?.throwIfAborted()
      filled = 0
      start = position
      while (filled < memory.length) {
        const count = await file.read(memory.subarray(filled), start + filled)
        if (count === 0) break
        filled += count
      }
    }
    return memory.subarray(Math.min(position - start, filled), Math.min(position - start + length, filled))
  }
}

/** A copy of the bytes at a position, of at most `most`; fewer at the end of the file. */
export async function bytesAt(
  file: SoundFile,
  position: number,
  length: number,
  most: number,
): Promise<Buffer> {
  const content = Buffer.alloc(Math.max(0, Math.min(length, most, file.bytes - position)))
  let filled = 0
  while (filled < content.length) {
    const count = await file.read(content.subarray(filled), position + filled)
    if (count === 0) break
    filled += count
  }
  return content.subarray(0, filled)
}
