import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageFailure } from '../errors.ts'

/** The names that books have in a folder; a file that is named outright may have any name. */
const bookName = /\.(epub|pdf|lpf|audiobook)$/i

/**
 * The files that the arguments mean, without doubles: files as they are, the books in folders (`recursive`: and in the
 * folders below them), and what matches a glob that the shell left as it was.
 */
export async function expandInputs(inputs: readonly string[], recursive: boolean): Promise<string[]> {
  const files = new Set<string>()
  for (const input of inputs) {
    const found = await stat(input).catch(() => undefined)
    if (found?.isDirectory()) for (const file of await booksIn(input, recursive)) files.add(file)
    else if (found || !/[*?[{]/.test(input)) files.add(input)
    else for (const file of await matching(input)) files.add(file)
  }
  return [...files]
}

async function booksIn(folder: string, recursive: boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageFailure(`cannot read the folder ${folder}: ${error.code ?? error.message}`, {
        code: 'file_unreadable',
      })
    },
  )
  const books = entries
    .filter(entry => entry.isFile() && bookName.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  if (books.length > 0) return books
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
