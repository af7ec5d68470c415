import type { Context } from '../cli/context.ts'
import { type Profile, sandboxName } from '../config/profile.ts'

/** A saved profile. */
export interface UsedProfile {
  readonly name: string
  readonly profile: Profile
}

/**
 * The saved profile that a command uses; undefined for the sandbox, and for a script that gives address and key by variables, which
 * uses none that it does not name. Throws as the store of profiles does.
 */
export async function profileInUse({ options, world, profiles }: Context): Promise<UsedProfile | undefined> {
  const { env } = world
  const named = options.profile ?? env['PUBCTL_PROFILE']
  const isGiven = env['PUBCTL_BASE_URL'] !== undefined && env['PUBCTL_API_KEY'] !== undefined
  const name = named ?? (isGiven ? undefined : await profiles.current())
  if (name === undefined || name === sandboxName) return undefined
  return { name, profile: await profiles.get(name) }
}
