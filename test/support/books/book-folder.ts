import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'

/** A folder of so many books, each of a title and a size of its own; every third one has no cover. */
export async function makeBooks(
  folder: string,
  count: number,
): Promise<{ titles: string[]; hashes: string[] }> {
  mkdirSync(folder, { recursive: true })
  const titles: string[] = []
  const hashes: string[] = []
  for (let number = 0; number < count; number++) {
    const title = `Book ${String(number).padStart(3, '0')}`
    const bytes = await makeExampleEpub({
      title,
      cover: number % 3 !== 0,
      paddingBytes: (number * 997) % 40_000,
    })
    writeFileSync(join(folder, `${title}.epub`), bytes)
    titles.push(title)
    hashes.push(sha256(bytes))
  }
  return { titles, hashes: hashes.sort() }
}

/** The hashes of the books among the files of a sandbox's store. Covers are no zip files. */
export function storedHashes(dataDir: string): string[] {
  const folder = join(dataDir, 'objects')
  return readdirSync(folder)
    .map(name => readFileSync(join(folder, name)))
    .filter(bytes => bytes.subarray(0, 2).toString() === 'PK')
    .map(sha256)
    .sort()
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
