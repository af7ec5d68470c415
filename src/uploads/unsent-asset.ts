import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../system/make-folder.ts'
import { writeNewFile } from '../system/write-file.ts'

/** After so many milliseconds any session has expired. */
const life = 24 * 3_600_000

/**
 * Keeps the session of an asset that was created and has not got its file, for its owner alone, so that it can be sent
 * after all: there is no way to ask for another. Gives the path; nothing where it cannot be written, which must not hide
 * why the file was not sent. Expired ones are removed.
 */
export function keepUnsentAsset(dataDir: string, descriptor: unknown, now: number): string | undefined {
  try {
    return keep(dataDir, descriptor, now)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

function keep(dataDir: string, descriptor: unknown, now: number): string {
  const folder = join(dataDir, 'unsent-assets')
  makeFolder(folder)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > life)
      rmSync(path, { force: true })
  }
  const path = join(folder, `${randomUUID()}.json`)
  writeNewFile(path, JSON.stringify(descriptor), { isPrivate: true })
  return path
}
