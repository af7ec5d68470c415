import type { Problems } from './problems.ts'
import type { Zip } from './zip.ts'
import { EntryError } from './zip-entry.ts'

/** How many bytes of entries are compared with their checksums: all of most books, and about a second of work. */
const limit = 512 * 2 ** 20

/** Adds the entries whose content is not what the zip says of it, and how many are too large to be looked at. */
export async function checkEntries(zip: Zip, problems: Problems): Promise<void> {
  const leftOut: string[] = []
  let left = limit
  for (const [name, entry] of zip.entries) {
    if (zip.wasRead(name) || problems.hasError(name)) continue
    const bytes = Math.max(entry.compressedSize, entry.uncompressedSize)
    if (bytes > left) {
      leftOut.push(name)
      continue
    }
    left -= bytes
    try {
      await zip.check(name)
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      const code = error.code === 'entry_encrypted' ? error.code : 'entry_damaged'
      problems.push({ severity: 'error', code, message: `This file ${error.message}.`, place: name })
    }
  }
  const [place] = leftOut
  if (place === undefined) return
  const others = leftOut.length === 1 ? '' : `, as are ${leftOut.length - 1} other files`
  problems.push({
    severity: 'information',
    code: 'not_examined',
    message: `It is not compared with its checksum${others}: pubctl reads ${limit / 2 ** 20} MiB of a book for that.`,
    place,
    hint: 'Test the zip with another program, such as "unzip -t".',
  })
}
