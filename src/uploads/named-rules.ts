import { extname } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import { ownPath } from '../system/own-path.ts'
import type { World } from '../system/world.ts'
import { openedRules } from './opened-rules.ts'
import type { UsedProfile } from './profile-in-use.ts'

/**
 * The names of the rules that are asked, files with their absolute paths: those that are given, else those of the profile. They
 * are read, so that rules that cannot be used end the command before anything else. `asksBaselines` is false where the baselines of
 * the rules are not asked, since one is written. Throws as `openRules` does.
 */
export async function namedRules(
  world: World,
  given: readonly string[] | undefined,
  used: UsedProfile | undefined,
  { asksBaselines }: { readonly asksBaselines: boolean },
): Promise<readonly string[] | undefined> {
  const names = given ?? rulesOf(used)
  if (names === undefined || names.length === 0 || (names.length === 1 && names[0] === 'none'))
    return undefined
  const named = names.map(name => (extname(name) === '' ? name : ownPath(name)))
  await openedRules(named, world, { asksBaselines })
  return named
}

function rulesOf(used: UsedProfile | undefined): readonly string[] | undefined {
  const rules = used?.profile.rules
  if (rules === undefined || (Array.isArray(rules) && rules.every(each => typeof each === 'string')))
    return rules
  throw new UsageFailure(`the profile "${used?.name}" has "rules" that are no list of names`, {
    code: 'unfit_profile',
    hint: 'Set it up again: pubctl profile setup',
  })
}
