import { basename, join, relative, resolve, sep } from 'node:path'
import { typeByName } from '../../system/book-extensions.ts'
import { UsageFailure } from '../../system/errors.ts'
import { readdir, stat } from '../../system/files.ts'

/** A file that an argument names. */
export interface InputFile {
  readonly file: string
  /** Its path below the folder or the pattern's folder that was named, with slashes; else its name. */
  readonly below: string
}

/**
 * The files that the arguments name, without duplicates: files, the books in folders (`recursive`: at any depth), and the
 * matches of patterns that the shell did not expand. `isExpanded` if an argument was a folder or a pattern.
 */
export async function expandInputs(
  inputs: readonly string[],
  recursive: boolean,
): Promise<{ files: InputFile[]; isExpanded: boolean }> {
  const files = new Map<string, InputFile>()
  let isExpanded = false
  const add = (file: string, below: string) => {
    const path = resolve(file)
    if (!files.has(path)) files.set(path, { file, below: below.replaceAll(sep, '/') })
  }
  const addBelow = (folder: string) => (file: string) => add(file, relative(folder, file))
  for (const input of inputs) {
    const found = await stat(input).catch(() => undefined)
    const isPattern = found === undefined && /[*?[{]/.test(input)
    isExpanded ||= isPattern || found?.isDirectory() === true
    if (found?.isDirectory()) (await booksIn(input, recursive)).forEach(addBelow(input))
    else if (isPattern) (await matching(input)).forEach(addBelow(folderOf(input)))
    else add(input, basename(input))
  }
  return { files: [...files.values()], isExpanded }
}

/** The folder of a pattern: what comes before its first wildcard. */
const folderOf = (pattern: string): string => /^(?:[^*?[{]*[/\\])?/.exec(pattern)?.[0] || '.'

async function booksIn(folder: string, recursive: boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageFailure(`cannot read the folder ${folder}: ${error.code ?? error.message}`, {
        code: 'file_unreadable',
      })
    },
  )
  const named = entries
    // A file that is named itself may have any name.
    .filter(entry => typeByName(entry.name) !== undefined)
    .map(entry => ({ entry, path: join(entry.parentPath, entry.name) }))
  const books: string[] = []
  for (const { entry, path } of named) {
    // A broken link is reported when the file is read.
    const isLinked = entry.isSymbolicLink() && ((await stat(path).catch(() => undefined))?.isFile() ?? true)
    if (entry.isFile() || isLinked) books.push(path)
  }
  if (books.length > 0) return books.sort()
  throw new UsageFailure(`there are no books in ${folder}`, {
    code: 'no_books',
    hint: recursive
      ? 'Books end in .epub, .pdf or .lpf.'
      : 'Books end in .epub, .pdf or .lpf; --recursive looks into its folders as well.',
  })
}

async function matching(pattern: string): Promise<string[]> {
  const { glob } = await import('tinyglobby')
  const files = (
    await glob(pattern.replaceAll('\\', '/'), { absolute: pattern.startsWith('/'), expandDirectories: false })
  ).sort()
  if (files.length > 0) return files
  throw new UsageFailure(`no file matches ${pattern}`, { code: 'no_books' })
}
