import { extname } from 'node:path'
import type { Context } from '../cli/context.ts'
import { sandboxName } from '../config/profile.ts'
import { UsageFailure } from '../system/errors.ts'
import { ownPath } from '../system/own-path.ts'
import { openedRules } from './opened-rules.ts'

interface RulesChoice {
  readonly rules?: readonly string[] | undefined
  /** False after `--no-check`. */
  readonly check?: boolean
  /** False where the baselines of the rules are not asked, since one is written. */
  readonly asksBaselines?: boolean
}

/**
 * The names of the rules that are asked, files with their absolute paths: those of the command line, else those of the profile.
 * They are read, so that rules that cannot be used end the command before anything else. Throws as `openRules` does.
 */
export async function namedRules(
  context: Context,
  { rules: given, check = true, asksBaselines = true }: RulesChoice,
): Promise<readonly string[] | undefined> {
  if (given !== undefined && !check) {
    throw new UsageFailure('--rules cannot be used with --no-check', { hint: 'Leave one of them out.' })
  }
  const names = check ? (given ?? (await profileRules(context))) : undefined
  if (names === undefined || names.length === 0 || (names.length === 1 && names[0] === 'none'))
    return undefined
  const named = names.map(name => (extname(name) === '' ? name : ownPath(name)))
  await openedRules(named, context.world, { asksBaselines })
  return named
}

/** The rules of the profile that is used. A script that gives address and key by variables uses none that it does not name. */
async function profileRules({ options, world, profiles }: Context): Promise<readonly string[] | undefined> {
  const { env } = world
  const named = options.profile ?? env['PUBCTL_PROFILE']
  const isGiven = env['PUBCTL_BASE_URL'] !== undefined && env['PUBCTL_API_KEY'] !== undefined
  const name = named ?? (isGiven ? undefined : await profiles.current())
  if (name === undefined || name === sandboxName) return undefined
  const { rules } = await profiles.get(name)
  if (rules === undefined || (Array.isArray(rules) && rules.every(each => typeof each === 'string')))
    return rules
  throw new UsageFailure(`the profile "${name}" has "rules" that are no list of names`, {
    code: 'unfit_profile',
    hint: 'Set it up again: pubctl profile setup',
  })
}
