import { join, resolve } from 'node:path'
import { defaultName, type NamePattern, type NameValues, parseNamePattern } from '../../plan/name-pattern.ts'
import type { Product } from '../../plan/product.ts'
import { UsageFailure } from '../../system/errors.ts'
import { readdir, stat } from '../../system/files.ts'
import { unreadable } from '../../system/unreadable.ts'
import { type BookFile, indexNames } from '../../uploads/inputs/name-index.ts'

/** What the name of a product's file may say. */
export type Named = Pick<Product, 'key' | 'proprietaryId' | 'overrides'>

/** The files in some folders, to be found by what their names say. */
export interface BookFolders {
  /** How many files have an extension of the pattern. */
  readonly size: number
  /** The absolute paths of the files whose names are those of a product, ten at most. */
  find(product: Named): string[]
}

/**
 * Reads the names of all files in folders and their subfolders, once. Hidden files and folders are left out; links to files
 * are followed, links to folders are not. Throws UsageFailure for a folder that cannot be read and for a bad pattern.
 */
export async function openBookFolders(folders: readonly string[], name = defaultName): Promise<BookFolders> {
  const pattern = parseNamePattern(name)
  const files: BookFile[] = []
  const seen = new Set<string>()
  for (const folder of folders) await collect(resolve(folder), pattern, files, seen)
  return { size: files.length, find: findAmong(files, pattern) }
}

/** The folders that options name; null if they name none. Throws UsageFailure for a pattern without folders. */
export async function openNamedFolders({
  folders,
  name,
}: {
  readonly folders: readonly string[]
  readonly name?: string | undefined
}): Promise<BookFolders | null> {
  if (folders.length > 0) return await openBookFolders(folders, name)
  if (name === undefined) return null
  throw new UsageFailure('--name is about files in folders, and no folder is named', {
    hint: 'Name the folder with --files, or leave --name out.',
  })
}

/** Finds the files of products among some, by what their names say. */
export function findAmong(files: readonly BookFile[], pattern: NamePattern): BookFolders['find'] {
  const find = indexNames(files, pattern)
  return product => {
    const values = valuesOf(product)
    return pattern.placeholders.every(each => values[each]) ? find(values) : []
  }
}

const valuesOf = ({ key, proprietaryId, overrides: { isbn, title } }: Named): NameValues => ({
  isbn,
  key: key ?? proprietaryId,
  title,
})

/** Adds the books below a folder that was not seen before. */
async function collect(
  start: string,
  { extensions }: NamePattern,
  files: BookFile[],
  seen: Set<string>,
): Promise<void> {
  const waiting = [start]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.has(folder)) continue
    seen.add(folder)
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw unreadableFolder(folder as string, error)
    })
    for (const entry of entries) {
      const { name } = entry
      if (name.startsWith('.')) continue
      if (entry.isDirectory()) waiting.push(join(folder, name))
      else if (extensions.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase())) {
        if (entry.isFile() || (entry.isSymbolicLink() && (await isFileOrGone(join(folder, name)))))
          files.push({ folder, name })
      }
    }
  }
}

const unreadableFolder = (folder: string, error: unknown): UsageFailure =>
  (error as NodeJS.ErrnoException).code === 'ENOTDIR'
    ? new UsageFailure(`${folder} is not a folder`, {
        code: 'file_unreadable',
        hint: 'Name a folder of books with --files, and sheets and messages without it.',
      })
    : unreadable(folder, error)

/** A link that leads nowhere is reported when the file is read. */
const isFileOrGone = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() ?? true
