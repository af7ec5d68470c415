import type { Context } from '../cli/context.ts'
import { UsageFailure } from '../system/errors.ts'
import type { FileOptions } from './file-options.ts'
import { namedRules } from './named-rules.ts'
import { openedEpubCheck } from './opened-epubcheck.ts'

/** What books are checked by, besides what is checked anyway. */
export type AskedChecks = Pick<FileOptions, 'rules' | 'epubcheck'>

/** What a command line says about it. */
export interface CheckChoice {
  readonly rules?: readonly string[] | undefined
  readonly epubcheck?: true | undefined
  /** False after `--no-check`. */
  readonly check?: boolean
  /** False where the baselines of the rules are not asked, since one is written. */
  readonly asksBaselines?: boolean
}

/**
 * The rules of the command line, or else of the profile, and whether EPUBCheck is asked for. The rules are read and EPUBCheck is
 * found, so that what cannot be used ends the command before anything else. Throws as `openRules` and `openEpubCheck` do.
 */
export async function askedChecks(context: Context, choice: CheckChoice): Promise<AskedChecks> {
  const rules = await namedRules(context, choice)
  const { epubcheck, check = true } = choice
  if (epubcheck && !check)
    throw new UsageFailure('--epubcheck cannot be used with --no-check', { hint: 'Leave one of them out.' })
  if (epubcheck) await openedEpubCheck(context)
  return { rules, epubcheck }
}
