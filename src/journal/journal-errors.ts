import { exitCodes, Failure, UsageFailure } from '../errors.ts'
import { type Database, heldByOther } from '../system/database.ts'
import { isBusy, isDamaged, isUnwritable, nameOf, remedyOf } from '../system/database-error.ts'

/** The failure for a journal that cannot be used; `cause` decides its code and hint. */
export function unusable(path: string, trouble: string, cause: unknown): Failure {
  if (isBusy(cause)) {
    return new Failure(`the journal of uploads ${path} ${trouble}`, {
      code: 'journal_busy',
      exitCode: exitCodes.waitExhausted,
      hint: 'What was sent is intact. Once the other program is done, go on with: pubctl uploads resume',
      cause,
    })
  }
  return new UsageFailure(`the journal of uploads ${path} ${trouble}`, {
    code: isUnwritable(cause) ? 'journal_unwritable' : 'journal_unusable',
    hint: isUnwritable(cause)
      ? remedyOf(cause)
      : isDamaged(cause)
        ? 'Move the file away; uploads then start afresh, and what was uploaded is not known any more.'
        : 'Update pubctl, or name another folder in PUBCTL_DATA_DIR.',
    cause,
  })
}

/** The same database, with errors that say what is wrong with its file. */
export function guarded(db: Database, path: string): Database {
  const guard =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return work(...args)
      } catch (error) {
        if (isBusy(error)) throw unusable(path, heldByOther, error)
        if (isDamaged(error)) throw unusable(path, 'is damaged', error)
        if (isUnwritable(error)) throw unusable(path, `cannot be written (${nameOf(error)})`, error)
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
