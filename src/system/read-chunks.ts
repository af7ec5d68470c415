import { readPipe } from './files.ts'
import type { MayRead } from './may-read.ts'
import { openFile } from './open-file.ts'

const chunkSize = 64 * 1024

/**
 * The bytes of a file or a pipe, in chunks that are full except for the last. The memory of a chunk is used again for the
 * next one, so that a large file leaves no garbage behind.
 */
export async function* readChunks(path: string, mayRead: MayRead): AsyncGenerator<Buffer> {
  const { fd, close } = await openFile(path, mayRead, { mayBePipe: true })
  try {
    const buffer = Buffer.allocUnsafe(chunkSize)
    for (;;) {
      const filled = await fill(fd, buffer)
      if (filled > 0) yield buffer.subarray(0, filled)
      if (filled < chunkSize) return
    }
  } finally {
    await close()
  }
}

async function fill(fd: number, buffer: Buffer): Promise<number> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await readPipe(fd, buffer, filled, buffer.length - filled, null)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
