import type { Outcome } from '../../uploads/receipt.ts'

const meanings: { readonly [outcome in Outcome]: string } = {
  uploaded: 'The file was sent.',
  updated: 'Fields were changed.',
  skipped: 'There was nothing to do.',
  conflict: 'Nothing was done, because somebody has to settle it first; the receipt says what.',
  stale: 'Nothing was done, because the service or the file changed after the plan was made: plan again.',
  failed: 'It was tried; the receipt says what went wrong.',
}

/** What the outcomes in receipts of plans mean. */
export const outcomeWords = Object.entries(meanings)
