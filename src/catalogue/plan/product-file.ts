import type { ProductFile } from '../../plan/wanted-product.ts'
import { Failure, Interrupted } from '../../system/errors.ts'
import { stat } from '../../system/files.ts'
import { sha256Of } from '../../uploads/reading/hash.ts'
import type { Planning } from './planning.ts'

/**
 * The file of a product with its SHA-256, which the journal may know already; or what is wrong with it, as a clause.
 */
export async function productFile(
  path: string,
  { journal, reading, signal, mayRead }: Pick<Planning, 'journal' | 'reading' | 'signal' | 'mayRead'>,
): Promise<ProductFile | { readonly error: string }> {
  try {
    return await reading(async () => {
      const found = await stat(path)
      if (!found.isFile()) return { error: `${path} is not a file` }
      const { size: bytes, mtimeMs: modified } = found
      const sha256 =
        journal.knownHash(path, bytes, modified) ?? (await sha256Of(path, bytes, { mayRead, signal }))
      const { size, mtimeMs } = await stat(path)
      return size === bytes && mtimeMs === modified
        ? { file: path, bytes, modified, sha256 }
        : { error: `${path} changed while it was read` }
    })
  } catch (error) {
    return { error: clauseOf(error, path) }
  }
}

/** What is wrong with a file, as a clause. Throws what is no failure of the file. */
export function clauseOf(error: unknown, path: string): string {
  if (error instanceof Interrupted) throw error
  if (error instanceof Failure) {
    const details = (error.details ?? []).slice(0, 3).map(({ message }) => message)
    return [error.message, ...details].join('; ').replace(/\.$/, '')
  }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `there is no file ${path}`
  if (code !== undefined && syscall !== undefined) return `cannot read ${path}: ${code}`
  throw error
}
