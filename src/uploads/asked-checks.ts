import type { Context } from '../cli/context.ts'
import { UsageFailure } from '../system/errors.ts'
import type { FileOptions } from './file-options.ts'
import { namedRules } from './named-rules.ts'
import { openedEpubCheck } from './opened-epubcheck.ts'
import { profileInUse } from './profile-in-use.ts'

/** What books are checked by, besides what is checked anyway. */
export type AskedChecks = Pick<FileOptions, 'rules' | 'epubcheck'>

/** What a command line says about it. */
export interface CheckChoice {
  readonly rules?: readonly string[] | undefined
  /** False after `--no-epubcheck`. */
  readonly epubcheck?: boolean | undefined
  /** False after `--no-check`. */
  readonly check?: boolean
  /** False where the baselines of the rules are not asked, since one is written. */
  readonly asksBaselines?: boolean
}

/**
 * The rules and EPUBCheck as the command line asks for them, or else the profile. The rules are read and EPUBCheck is found, so that
 * what cannot be used ends the command before anything else. Throws as `openRules` and `openEpubCheck` do.
 */
export async function askedChecks(
  context: Context,
  { rules, epubcheck, check = true, asksBaselines = true }: CheckChoice,
): Promise<AskedChecks> {
  if (!check) {
    if (rules !== undefined) throw uselessWith('--rules')
    if (epubcheck) throw uselessWith('--epubcheck')
    return {}
  }
  const isAllGiven = rules !== undefined && epubcheck !== undefined
  const used = isAllGiven ? undefined : await profileInUse(context)
  const asked = {
    rules: await namedRules(context.world, rules, used, { asksBaselines }),
    epubcheck: epubcheck ?? used?.profile.epubcheck,
  }
  if (asked.epubcheck) await openedEpubCheck(context)
  return asked
}

/**
 * What the books of a plan are checked by when they are sent: nothing, unless EPUBCheck is asked for. The rules of the profile
 * grade what it finds. `epubcheck` and failures are those of `askedChecks`.
 */
export async function askedOfPlan(
  context: Context,
  epubcheck: boolean | undefined,
): Promise<AskedChecks | undefined> {
  const isAsked = epubcheck ?? (await profileInUse(context))?.profile.epubcheck
  return isAsked ? await askedChecks(context, { epubcheck }) : undefined
}

const uselessWith = (flag: string): UsageFailure =>
  new UsageFailure(`${flag} cannot be used with --no-check`, { hint: 'Leave one of them out.' })
