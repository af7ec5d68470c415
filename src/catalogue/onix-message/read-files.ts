import { resolve } from 'node:path'
import { readBook } from '../../books/index.ts'
import { compareContent } from '../../plan/match.ts'
import type { Product } from '../../plan/product.ts'
import { exitCodes, Failure } from '../../system/errors.ts'
import type { MayRead } from '../../system/may-read.ts'
import type { Planning } from '../plan/planning.ts'
import { clauseOf, productFile } from '../plan/product-file.ts'
import type { BookFolders } from '../sources/book-folders.ts'
import { type FileFacts, factsOfBook } from './file-facts.ts'
import type { ServiceFacts } from './service-facts.ts'

interface ReadOptions extends Pick<Planning, 'journal' | 'reading' | 'signal' | 'mayRead'> {
  readonly books: BookFolders | null
}

/**
 * What the file of a publication says; undefined if none is found. Throws Failure if it cannot be told which file it is, or if
 * the file has other content than the service, whose book it would not describe.
 */
export async function readFileFacts(
  there: ServiceFacts,
  product: Product | undefined,
  { books, ...options }: ReadOptions,
): Promise<FileFacts | undefined> {
  const found = product?.file ? [product.file] : (books?.find(namesOf(there, product)) ?? [])
  const [file] = found
  if (file === undefined) return undefined
  if (found.length > 1)
    throw new Failure(`several files may be its book: ${found.join(', ')}`, {
      code: 'several_files',
      exitCode: exitCodes.partFailed,
      hint: 'Leave one of them.',
    })
  const local = await productFile(file, options)
  if ('error' in local) throw unreadableFile(local.error)
  if (compareContent(local, there.edition) === 'different')
    throw new Failure(`${file} is not the file that the service has, and nothing is said by it`, {
      code: 'other_content',
      exitCode: exitCodes.partFailed,
      hint: 'Upload it first, or name the folder of the files that were uploaded.',
    })
  try {
    return await options.reading(() => factsIn(file, options.mayRead))
  } catch (error) {
    throw unreadableFile(clauseOf(error, file))
  }
}

const factsIn = async (file: string, mayRead: MayRead): Promise<FileFacts> =>
  factsOfBook(await readBook(resolve(file), mayRead, { accessibility: true, rights: true }))

/** By what the name of its file may say. */
const namesOf = ({ values }: ServiceFacts, product: Product | undefined) => ({
  key: product?.key ?? null,
  ...(product?.proprietaryId !== undefined && { proprietaryId: product.proprietaryId }),
  overrides: { ...product?.overrides, ...values },
})

const unreadableFile = (says: string): Failure =>
  new Failure(says, {
    code: 'file_unreadable',
    exitCode: exitCodes.partFailed,
    hint: 'Correct the file, and export again.',
  })
