import { Failure } from '../system/errors.ts'
import { given } from '../system/given.ts'
import type { Warning } from '../system/warning.ts'
import type { Journal } from './journal/journal.ts'
import { errorOf, type Receipt, type Result } from './receipt.ts'
import type { TransferContext } from './transfer-context.ts'

/** Does the work on one file, and records its warnings and its failure in the receipt. */
export async function withReceipt<J extends Journal>(
  receipt: Receipt,
  context: TransferContext<J>,
  work: (context: TransferContext<J>) => Promise<void>,
): Promise<Result> {
  const onWarning = (warning: Warning) => {
    receipt.warnings.push(warning)
    context.onWarning(warning)
  }
  try {
    await work({ ...context, onWarning })
    return { receipt, failure: undefined }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    Object.assign(receipt, given({ checkedBy: error.checkedBy }), { error: errorOf(error) })
    return { receipt, failure: error }
  }
}
