import { basename, dirname, join, normalize, relative, resolve, sep } from 'node:path'
import type { Overrides } from '../../plan/book-fields.ts'
import type { WantedFile } from '../../plan/wanted.ts'
import { typeByName } from '../../system/book-extensions.ts'
import { UsageFailure } from '../../system/errors.ts'
import { readdir, stat } from '../../system/files.ts'
import { byName } from '../../system/natural-order.ts'
import { ownPath } from '../../system/own-path.ts'
import { filesMatching, folderOf, isPattern } from '../../system/pattern.ts'
import { readTree } from '../../system/read-tree.ts'
import type { World } from '../../system/world.ts'
import type { SheetOptions } from './sheet/index.ts'
import { readSheet } from './sheet/index.ts'
import { isXml, openInput } from './source.ts'

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
  { manifest, encoding, recursive, signal, mayRead }: NamingOptions & Pick<World, 'signal' | 'mayRead'>,
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
    for (const row of await readManifest(manifest, { encoding, signal, mayRead }))
      rows.push({ ...row, overrides: { ...overrides, ...row.overrides } })
  }
  if (rows.length === 0)
    throw new UsageFailure('no file is named', { hint: 'Name files, or a sheet with --manifest.' })
  return { rows, isList: rows.length > 1 || isExpanded || manifest !== undefined }
}

/** A file that an argument names. */
interface InputFile {
  readonly file: string
  /** Its path below the folder or the pattern's folder that was named, with slashes; else its name. */
  readonly below: string
}

/**
 * The files that the arguments name, without duplicates: files, the books in folders (`recursive`: at any depth), and the
 * matches of patterns that the shell did not expand. `isExpanded` if an argument was a folder or a pattern.
 */
async function expandInputs(
  inputs: readonly string[],
  recursive: boolean,
): Promise<{ files: InputFile[]; isExpanded: boolean }> {
  const files = new Map<string, InputFile>()
  let isExpanded = false
  const add = (file: string, below: string) => {
    const path = ownPath(file)
    if (!files.has(path)) files.set(path, { file, below: below.replaceAll(sep, '/') })
  }
  const addBelow = (folder: string) => (file: string) => add(file, relative(folder, file))
  for (const input of inputs) {
    const found = await stat(input).catch(() => undefined)
    const isUnexpanded = await isPattern(input)
    isExpanded ||= isUnexpanded || found?.isDirectory() === true
    if (found?.isDirectory()) (await booksIn(input, recursive)).forEach(addBelow(input))
    else if (isUnexpanded) (await filesMatching(input)).forEach(addBelow(folderOf(input)))
    else add(input, basename(input))
  }
  return { files: [...files.values()], isExpanded }
}

async function booksIn(folder: string, recursive: boolean): Promise<string[]> {
  const all = recursive ? readTree(folder) : readdir(folder, { withFileTypes: true })
  const entries = await all.catch((error: NodeJS.ErrnoException) => {
    throw new UsageFailure(`cannot read the folder ${folder}: ${error.code ?? error.message}`, {
      code: 'file_unreadable',
    })
  })
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
  if (books.length > 0) return books.sort(byName)
  throw new UsageFailure(`there are no books in ${folder}`, {
    code: 'no_books',
    hint: recursive
      ? 'Books end in .epub, .pdf or .lpf.'
      : 'Books end in .epub, .pdf or .lpf; --recursive looks into its folders as well.',
  })
}

/**
 * Reads a sheet of files to upload. Throws one failure that names every fault with its row and column. `encoding` is needed
 * if the sheet is neither UTF-8 nor UTF-16 with a byte order mark.
 */
export async function readManifest(
  path: string,
  { encoding, signal, mayRead }: Pick<SheetOptions, 'encoding' | 'signal'> & Pick<World, 'mayRead'>,
): Promise<WantedFile[]> {
  const source = await openInput(path, mayRead)
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
