import { junit } from '../../pages/junit.ts'
import { checkersSentence } from '../../system/checked-by.ts'
import { isFailed, type Receipt, receiptName } from '../receipt.ts'

/** JUnit XML, in which an upload that was skipped is a test that was not carried out. */
export const junitReport = (receipts: readonly Receipt[]): string =>
  junit(
    'upload',
    receipts.map(receipt => {
      const { outcome, why, warnings, error } = receipt
      return {
        name: receiptName(receipt),
        skipped: outcome === 'skipped' ? (why ?? '') : undefined,
        failure: isFailed({ outcome, error })
          ? { type: error?.code ?? outcome, message: error?.message ?? why ?? '' }
          : undefined,
        remarks: [...warnings.map(({ message }) => message), ...checkersSentence([receipt])],
      }
    }),
  )
