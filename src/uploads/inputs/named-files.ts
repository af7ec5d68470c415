import type { Overrides } from '../../plan/book-fields.ts'
import type { WantedFile } from '../../plan/wanted.ts'
import { UsageFailure } from '../../system/errors.ts'
import { expandInputs } from './inputs.ts'
import { readManifest } from './manifest.ts'
import type { SheetOptions } from './sheet/index.ts'

/** The options of the commands that take files, folders, patterns and sheets of books. */
export interface NamingOptions {
  readonly manifest?: string | undefined
  readonly encoding?: string | undefined
  readonly recursive?: true | undefined
}

/**
 * The files that the arguments name, then those of a sheet, with what the user set for each. Throws UsageFailure if there is
 * none. Whether it is a list depends on what was named, not on how many books a folder holds.
 */
export async function namedFiles(
  inputs: readonly string[],
  { manifest, encoding, recursive, signal }: NamingOptions & Pick<SheetOptions, 'signal'>,
  overrides: Overrides = {},
): Promise<{ rows: WantedFile[]; isList: boolean }> {
  const { files, isExpanded } = await expandInputs(inputs, recursive === true)
  const rows: WantedFile[] = files.map(each => ({ ...each, overrides }))
  if (encoding !== undefined && manifest === undefined) {
    throw new UsageFailure('--encoding belongs to a sheet, and none was given', {
      hint: 'Name the sheet with --manifest, or leave --encoding out.',
    })
  }
  if (manifest !== undefined) {
    for (const row of await readManifest(manifest, { encoding, signal }))
      rows.push({ ...row, overrides: { ...overrides, ...row.overrides } })
  }
  if (rows.length === 0)
    throw new UsageFailure('no file is named', { hint: 'Name files, or a sheet with --manifest.' })
  return { rows, isList: rows.length > 1 || isExpanded || manifest !== undefined }
}
