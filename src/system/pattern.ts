import { join } from 'node:path'
import { UsageFailure } from './errors.ts'
import { stat } from './files.ts'
import { byName } from './natural-order.ts'

/** What names the folder of a pattern, with its slash: everything before the name with the first wildcard. */
const folderPart = (pattern: string): string => /^(?:[^*?[{]*[/\\])?/.exec(pattern)?.[0] ?? ''

/** The folder of a pattern. */
export const folderOf = (pattern: string): string => folderPart(pattern) || '.'

/** Whether names that differ in the case of their letters alone are one name, as both systems are set up. */
const ignoresCase = (platform: NodeJS.Platform): boolean => platform === 'win32' || platform === 'darwin'

/**
 * The files that match a pattern, which may begin at another drive, a shared folder or the root. They are sought from the
 * pattern's own folder, since the names of no other drive are below the current one. Throws UsageFailure `no_books`.
 */
export async function filesMatching(
  pattern: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const { glob } = await import('tinyglobby')
  const folder = folderOf(pattern)
  const names = await glob(pattern.slice(folderPart(pattern).length).replaceAll('\\', '/'), {
    cwd: folder,
    caseSensitiveMatch: !ignoresCase(platform),
    expandDirectories: false,
  })
  if (names.length > 0) return names.map(name => join(folder, name)).sort(byName)
  throw new UsageFailure(`no file matches ${pattern}`, { code: 'no_books' })
}

/** What arguments name, in their order: in place of a pattern that no shell has expanded, which none does on Windows, its files. */
export async function expandPatterns(args: readonly string[]): Promise<string[]> {
  const named: string[] = []
  for (const arg of args) named.push(...((await isPattern(arg)) ? await filesMatching(arg) : [arg]))
  return named
}

/** Whether a name has wildcards, and nothing is there that is called so. */
export const isPattern = async (name: string): Promise<boolean> =>
  /[*?[{]/.test(name) && (await stat(name).catch(() => undefined)) === undefined
