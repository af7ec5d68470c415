import { isbn13 } from '../../plan/match.ts'
import { Failure, withHint } from '../../system/errors.ts'
import { given } from '../../system/given.ts'
import type { AskedChecks } from '../../uploads/asked-checks.ts'
import { checkBook } from '../../uploads/prepare.ts'
import { readHere } from '../../uploads/reading/reading.ts'
import type { ExamineContext } from './examine-context.ts'
import type { UploadStep } from './upload-of-step.ts'

/**
 * A step after EPUBCheck has checked its book, if that is asked for and whoever made the plan had nobody check it. The rules that
 * are asked grade what it finds. Throws Failure `book_unfit` for a book with errors.
 */
export async function checkedStep(
  step: UploadStep,
  { openChecks, limits, mayRead, read = readHere }: ExamineContext,
  asked: AskedChecks | undefined,
): Promise<UploadStep> {
  if (!asked?.epubcheck || step.type !== 'EPUB' || step.checkedBy !== undefined) return step
  const { file, send } = step
  const checks = await openChecks(asked)
  return await limits.read(async () => {
    const reading = await read(file, mayRead, false, undefined, checks.rules?.reads)
    const { title, metadata } = send.edition
    const record = given({ title, isbn: isbn13(metadata?.['isbn']) })
    const { warnings, checkedBy } = await checkBook(file, reading, record, {
      ...{ ...checks, check: 'errors' },
    }).catch(error => {
      throw error instanceof Failure && error.code === 'book_unfit' ? withHint(error, unfitHint) : error
    })
    return { ...step, warnings: [...(step.warnings ?? []), ...warnings], ...given({ checkedBy }) }
  })
}

const unfitHint = 'Mend it and plan again, or send it as it is with --no-epubcheck.'
