import type { Check } from '../books/outside-checks.ts'
import type { Rules } from '../books/rules/index.ts'
import type { Context } from '../cli/context.ts'
import type { AskedChecks } from './asked-checks.ts'
import { openedEpubCheck } from './opened-epubcheck.ts'
import { openedRules } from './opened-rules.ts'

/** What books are checked by, besides what is checked anyway, ready for use. */
export interface OpenedChecks {
  readonly rules?: Rules | undefined
  readonly epubCheck?: Check | undefined
}

/** Opens the checks that are asked for, each once a run. Throws as `openRules` and `openEpubCheck` do. */
export const openedChecks = async (
  context: Context,
  { rules, epubcheck }: AskedChecks,
): Promise<Required<OpenedChecks>> => ({
  rules: await openedRules(rules, context.world),
  epubCheck: epubcheck ? await openedEpubCheck(context) : undefined,
})
