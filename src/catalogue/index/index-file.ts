import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase, openToRead } from '../../system/database.ts'
import { errorName, isBusy, isUnwritable, remedyOf } from '../../system/database-error.ts'
import { exitCodes, Failure, UsageFailure } from '../../system/errors.ts'
import { guarded } from '../../system/guarded.ts'
import { removeDatabase } from '../../system/remove-database.ts'
import type { Caller } from '../../uploads/journal/caller.ts'
import { nameOfCaller } from '../../uploads/journal/caller-name.ts'
import { indexTables, notReadYet } from './schema.ts'

const folderIn = (dataDir: string): string => join(dataDir, 'index')

/** The file of an index. */
export const indexFile = (dataDir: string, owner: Caller): string =>
  join(folderIn(dataDir), `${nameOfCaller(owner)}.db`)

/** The files of all indexes of this user. */
export function indexFiles(dataDir: string): string[] {
  try {
    return readdirSync(folderIn(dataDir))
      .filter(name => /^[0-9a-f]{32}\.db$/.test(name))
      .sort()
      .map(name => join(folderIn(dataDir), name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw unusable(folderIn(dataDir), 'cannot be read', error)
  }
}

const optionsOf = (path: string) => ({
  schema: [indexTables, notReadYet],
  unusable: (trouble: string, cause?: unknown) => unusable(path, trouble, cause),
})

/** Opens an index to be written. Throws Failure `index_damaged` for one that is damaged, or of a newer version. */
export function openIndexFile(path: string): Database {
  const options = optionsOf(path)
  return guarded(openDatabase(path, options), options.unusable)
}

/** Opens an index for reading; undefined where there is none that can be read. */
export function readIndexFile(path: string): Database | undefined {
  const options = optionsOf(path)
  try {
    const db = openToRead(path, options)
    return db && guarded(db, options.unusable)
  } catch (error) {
    if (isWorthless(error)) return undefined
    throw error
  }
}

/** The failure for an index of which something that was read makes no sense. */
export const damagedIndex = (path: string, cause: unknown): Failure => unusable(path, 'is damaged', cause)

/** Whether an index can only be read from the service again. */
export const isWorthless = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'index_damaged'

/** Removes an index that is worthless for a fault. Throws Failure `index_unwritable`. */
export async function removeIndexFile(path: string, fault: Failure): Promise<void> {
  try {
    await removeDatabase(path, fault)
  } catch (error) {
    throw unusable(path, `is damaged, and cannot be removed (${errorName(error)})`, error)
  }
}

function unusable(path: string, trouble: string, cause: unknown): Failure {
  const message = `the index of publications ${path} ${trouble}`
  if (isBusy(cause)) {
    return new Failure(message, {
      code: 'index_busy',
      exitCode: exitCodes.waitExhausted,
      hint: 'Run the command again once the other program is done.',
      cause,
    })
  }
  return isUnwritable(cause)
    ? new UsageFailure(message, { code: 'index_unwritable', hint: remedyOf(cause), cause })
    : new UsageFailure(message, {
        code: 'index_damaged',
        hint: 'Read it from the service again: pubctl catalogue index --refresh',
        cause,
      })
}
