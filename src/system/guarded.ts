import { type Database, heldByOther } from './database.ts'
import { errorName, isBusy, isDamaged, isUnwritable } from './database-error.ts'

/** The same database, with errors that say what is wrong with its file; `unusable` makes them, as for `openDatabase`. */
export function guarded(db: Database, unusable: (trouble: string, cause: unknown) => Error): Database {
  const guard =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return work(...args)
      } catch (error) {
        if (isBusy(error)) throw unusable(heldByOther, error)
        if (isDamaged(error)) throw unusable('is damaged', error)
        if (isUnwritable(error)) throw unusable(`cannot be written (${errorName(error)})`, error)
        throw error
      }
    }
  const { get, all, run, write, briefly, close } = db
  return {
    get: guard(get) as typeof get,
    all: guard(all) as typeof all,
    run: guard(run),
    write: guard(write) as typeof write,
    briefly,
    close,
  }
}
