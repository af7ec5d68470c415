import { resolve } from 'node:path'
import type { World } from '../../system/world.ts'
import { type NamingOptions, namedFiles } from '../../uploads/inputs/named-files.ts'

/** The books to read, each once: those that `publications upload` would send for the same arguments, in its order. */
export async function namedBooks(
  inputs: readonly string[],
  options: NamingOptions,
  { signal, mayRead }: Pick<World, 'signal' | 'mayRead'>,
): Promise<{ files: string[]; isList: boolean }> {
  const { rows, isList } = await namedFiles(inputs, { ...options, signal, mayRead })
  const files = new Map<string, string>()
  for (const { file } of rows) if (!files.has(resolve(file))) files.set(resolve(file), file)
  return { files: [...files.values()], isList }
}
