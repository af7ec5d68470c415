import { openFile } from '../../system/open-file.ts'
import { createProblems } from '../problems.ts'
import { openZip } from '../zip.ts'
import { findPackage } from './container.ts'

/** Where the package document of an EPUB is in its zip; undefined if it cannot be found. */
export async function packagePathOf(path: string): Promise<string | undefined> {
  const file = await openFile(path)
  try {
    const zip = await openZip(file)
    return zip && (await findPackage(zip, createProblems()))?.path
  } finally {
    await file.close()
  }
}
