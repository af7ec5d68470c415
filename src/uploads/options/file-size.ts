import { UsageFailure } from '../../system/errors.ts'

/** The size of a file in bytes. Throws UsageFailure `file_unreadable`. */
export async function fileSizeOf(file: string): Promise<number> {
  const { stat } = await import('../../system/files.ts')
  const found = await stat(file).catch(async error => {
    throw (await import('../../system/unreadable.ts')).unreadable(file, error)
  })
  if (!found.isFile()) throw new UsageFailure(`${file} is not a file`, { code: 'file_unreadable' })
  return found.size
}
