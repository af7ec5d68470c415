import { dirname, resolve } from 'node:path'
import type { WantedFile } from '../plan/wanted.ts'
import { readSheet } from './sheet/index.ts'
import { openSource } from './source.ts'

/**
 * Reads a sheet of files to upload. Throws one failure that names every fault with its row and column. `encoding` is needed
 * if the sheet is neither UTF-8 nor UTF-16 with a byte order mark.
 */
export async function readManifest(path: string, encoding?: string): Promise<WantedFile[]> {
  const read: WantedFile[] = []
  for await (const row of readSheet(await openSource(path), { encoding, isCatalogue: false })) {
    const { file = '', overrides, line } = row
    read.push({ file: resolve(dirname(path), file), overrides, from: { sheet: path, row: line } })
  }
  return read
}
