import type { Context } from '../../cli/context.ts'
import { rememberKey } from '../../cli/output/secrets.ts'
import type { Profile } from '../../config/profile.ts'

/**
 * Saves a profile, with its key in the keychain if possible, else in the file. Returns the saved profile, and why its key
 * is in the file. The new key is stored first and the old key is deleted last, so no failure loses a key.
 */
export async function saveProfile(
  context: Context,
  name: string,
  profile: Profile,
): Promise<{ saved: Profile; trouble?: string }> {
  const { apiKey, ...rest } = profile
  const added = apiKey === undefined ? undefined : await addKey(context, name, apiKey)
  const id = added && 'id' in added ? added.id : undefined
  const saved = id === undefined ? profile : { ...rest, keychain: id }
  let replaced: string | undefined
  try {
    replaced = await context.profiles.save(name, saved)
  } catch (error) {
    await forgetKey(context, name, id)
    throw error
  }
  await forgetKey(context, name, replaced)
  return { saved, ...(added && 'trouble' in added ? added : {}) }
}

/** Removes a profile, and its key in the keychain. */
export async function removeProfile(context: Context, name: string): Promise<void> {
  await forgetKey(context, name, await context.profiles.remove(name))
}

async function addKey(context: Context, name: string, key: string) {
  rememberKey(context.world, key)
  return await (await keychainOf(context)).add(name, key)
}

async function forgetKey(context: Context, name: string, id: string | undefined): Promise<void> {
  if (id === undefined) return
  const left = await (await keychainOf(context)).remove(name, id)
  if (left)
    await context.warn({
      code: 'key_left',
      message: `a key of pubctl that no profile needs is left in the keychain, since ${left.trouble}; it is the one with ${id} in its name`,
    })
}

const keychainOf = async ({ directories, world, note }: Context) =>
  (await import('../../config/keychain.ts')).openKeychain(directories.configDir, world, note)
