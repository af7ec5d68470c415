import { isBusy, isDamaged, isUnwritable, remedyOf } from '../../system/database-error.ts'
import { exitCodes, Failure, UsageFailure } from '../../system/errors.ts'

/** The failure for a journal that cannot be used; `cause` decides its code and hint. */
export function unusableJournal(path: string, trouble: string, cause: unknown): Failure {
  if (isBusy(cause)) {
    return new Failure(`the journal of uploads ${path} ${trouble}`, {
      code: 'journal_busy',
      exitCode: exitCodes.waitExhausted,
      hint: 'What was sent is intact. Once the other program is done, run: pubctl uploads resume',
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
