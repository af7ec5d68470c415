import { exitCodes, Failure, UsageFailure } from '../../system/errors.ts'

/** The failure for an upload that another process has claimed meanwhile. */
export const takenOver = ({ file }: { readonly file: string }): Failure =>
  new Failure(`another pubctl has taken over the upload of ${file}`, {
    code: 'upload_taken',
    exitCode: exitCodes.refused,
    hint: 'This one was asleep for too long; "pubctl uploads list" shows how far the other is.',
  })

/** The failure for an upload that was removed from the journal while it was carried out. */
export const struckOut = (uploadRequestId: string): Failure =>
  new UsageFailure(`the upload ${uploadRequestId} is no longer in the journal`, { code: 'unknown_upload' })

/** The failure for an upload that is in the journal, and was not written there by this user's pubctl. */
export const notOwn = (uploadRequestId: string): Failure =>
  new UsageFailure(`the upload ${uploadRequestId} was not recorded in the journal by this pubctl`, {
    code: 'not_own_upload',
    hint: `It may come from a restored journal or from an older version. To remove it: pubctl uploads forget ${uploadRequestId}`,
  })
