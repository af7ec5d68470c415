import { dirname, normalize, resolve, sep } from 'node:path'
import type { WantedFile } from '../../plan/wanted.ts'
import { UsageFailure } from '../../system/errors.ts'
import { readSheet, type SheetOptions } from './sheet/index.ts'
import { isXml, openInput } from './source.ts'

/**
 * Reads a sheet of files to upload. Throws one failure that names every fault with its row and column. `encoding` is needed
 * if the sheet is neither UTF-8 nor UTF-16 with a byte order mark.
 */
export async function readManifest(
  path: string,
  { encoding, signal }: Pick<SheetOptions, 'encoding' | 'signal'> = {},
): Promise<WantedFile[]> {
  const source = await openInput(path)
  try {
    if (isXml(source)) throw notASheet(path)
    const read: WantedFile[] = []
    for await (const row of readSheet(source, { encoding, signal, isCatalogue: false })) {
      const { file = '', overrides, line } = row
      const below = normalize(file).replaceAll(sep, '/')
      read.push({ file: resolve(dirname(path), file), overrides, from: { sheet: path, row: line }, below })
    }
    return read
  } finally {
    await source.close()
  }
}

const notASheet = (path: string): UsageFailure =>
  new UsageFailure(`${path} is XML, not a sheet`, {
    code: 'bad_manifest',
    hint: 'ONIX messages are read by: pubctl catalogue plan.',
  })
