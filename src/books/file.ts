import { UsageFailure } from '../system/errors.ts'
import type { MayRead } from '../system/may-read.ts'
import { openFile } from '../system/open-file.ts'
import { unreadable } from '../system/unreadable.ts'

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
export async function readCoverFile(path: string, mayRead: MayRead): Promise<Buffer> {
  const file = await openFile(path, mayRead)
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
