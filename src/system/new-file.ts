import { createWriteStream, promises as fs } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { promises as streams } from 'node:stream'

/** Opens a new file for its owner alone, to be written in parts. Throws `EEXIST` if the name exists. */
export const openNewFile = async (path: string): Promise<FileHandle> => await fs.open(path, 'wx', 0o600)

/**
 * Writes a new file for its owner alone from its parts, as they come. Throws `EEXIST` if the name exists, and the signal's reason. The
 * file is closed then, since Windows deletes none that is open.
 */
export async function writeChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>(resolve => file.once('close', resolve))
  try {
    // A stream that gives nothing more does not notice the signal.
    await Promise.race([streams.pipeline(chunks, file, { signal }), ended(signal)])
  } finally {
    file.destroy()
    await closed
  }
}

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
