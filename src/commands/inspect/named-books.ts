import { resolve } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { showsFullTable } from '../../cli/output-kind.ts'
import type { Overrides } from '../../plan/book-fields.ts'
import type { World } from '../../system/world.ts'
import { type NamingOptions, namedFiles } from '../../uploads/inputs/named-files.ts'

/**
 * The books to read, each once: those that `publications upload` would send for the same arguments, in its order. `rowOf` is
 * what the sheet says of a file, if one lists it.
 */
export async function namedBooks(
  inputs: readonly string[],
  options: NamingOptions,
  { signal, mayRead }: Pick<World, 'signal' | 'mayRead'>,
): Promise<{ files: string[]; isList: boolean; rowOf: (file: string) => Overrides | undefined }> {
  const { rows, isList } = await namedFiles(inputs, { ...options, signal, mayRead })
  const files = new Map<string, string>()
  for (const { file } of rows) if (!files.has(resolve(file))) files.set(resolve(file), file)
  const listed = new Map(
    rows.flatMap(({ file, from, overrides }) => (from ? [[file, overrides] as const] : [])),
  )
  return { files: [...files.values()], isList, rowOf: file => listed.get(file) }
}

/**
 * Whether a terminal leaves the table to the report: of a thousand books it would push what matters, the line that sums them
 * up, off the screen.
 */
export const isOnlyInReport = (context: Context, isList: boolean, report: string | undefined): boolean =>
  isList && report !== undefined && showsFullTable(context)
