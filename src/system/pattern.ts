import { join } from 'node:path'
import { UsageFailure } from './errors.ts'
import { stat } from './files.ts'
import { ignoresCase } from './ignores-case.ts'
import { byName } from './natural-order.ts'

/**
 * What names the folder of a pattern, with its slash: everything before the name with the first wildcard. On Windows, `D:` without
 * a slash is the current folder of that drive.
 */
const folderPart = (pattern: string, platform: NodeJS.Platform): string =>
  /^[^*?[{]*[/\\]/.exec(pattern)?.[0] ?? ((platform === 'win32' && /^[a-z]:/i.exec(pattern)?.[0]) || '')

/** The folder of a pattern. */
export function folderOf(pattern: string, platform: NodeJS.Platform = process.platform): string {
  const folder = folderPart(pattern, platform)
  // To join a name to `D:` would make it one in the root of the drive.
  return folder.endsWith(':') ? `${folder}.` : folder || '.'
}

/**
 * The files that match a pattern, which may begin at another drive, a shared folder or the root. They are sought from the
 * pattern's own folder, since the names of no other drive are below the current one. Throws UsageFailure `no_books`.
 */
export async function filesMatching(
  pattern: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const { glob } = await import('tinyglobby')
  const folder = folderOf(pattern, platform)
  const names = await glob(pattern.slice(folderPart(pattern, platform).length).replaceAll('\\', '/'), {
    cwd: folder,
    caseSensitiveMatch: !ignoresCase(platform),
    expandDirectories: false,
  })
  if (names.length > 0) return names.map(name => join(folder, name)).sort(byName)
  throw new UsageFailure(`no file matches ${pattern}`, { code: 'no_books' })
}

/** What arguments name, in their order: in place of a pattern that no shell has expanded, which none does on Windows, its files. */
export async function expandPatterns(args: readonly string[]): Promise<string[]> {
  const named: string[][] = []
  for (const arg of args) named.push((await isPattern(arg)) ? await filesMatching(arg) : [arg])
  return named.flat()
}

/** Whether a name has wildcards, and nothing is there that is called so. */
export const isPattern = async (name: string): Promise<boolean> =>
  /[*?[{]/.test(name) && (await stat(name).catch(() => undefined)) === undefined
