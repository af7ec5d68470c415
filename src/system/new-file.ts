import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Opens a new file for its owner alone, to be written in parts. Throws `EEXIST` if the name exists. */
export const openNewFile = async (path: string): Promise<FileHandle> => await open(path, 'wx', 0o600)

/** Writes a new file for its owner alone from its parts, as they come. Throws `EEXIST` if the name exists. */
export const writeChunks = async (
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> => await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
