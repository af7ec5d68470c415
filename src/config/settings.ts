import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'
import { isSameOrigin, parseAddress, refuseInsecure } from './address.ts'
import { checkKey, withoutFinalNewline } from './key-text.ts'
import { type Profile, sandboxName } from './profile.ts'
import type { ProfileStore } from './profiles.ts'
import { multiValueIn, variable } from './variables.ts'

/** Where the API key comes from: the key itself, the command that prints it, or its entry in the keychain. */
export type KeySource =
  | { readonly from: 'flag' | 'environment' | 'profile'; readonly value: string }
  | { readonly from: 'keyCommand'; readonly command: string }
  | { readonly from: 'keychain'; readonly profile: string; readonly id: string }

interface CommonSettings {
  /** The profile that was used, if any. */
  readonly profileName?: string
  readonly multiValue: 'repeat' | 'comma'
}

/** The address of a service, and its key. */
interface ServiceSettings extends CommonSettings {
  readonly isSandbox: false
  readonly baseUrl: string
  readonly baseUrlSource: 'flag' | 'environment' | 'profile'
  readonly key: KeySource
}

/** The sandbox, whose address is known once it runs. `from: 'sandbox'` is its own key with full rights. */
interface SandboxSettings extends CommonSettings {
  readonly isSandbox: true
  readonly key:
    | { readonly from: 'flag' | 'environment'; readonly value: string }
    | { readonly from: 'sandbox' }
}

export type Settings = ServiceSettings | SandboxSettings

interface SettingsInputs {
  readonly flags: {
    readonly profile?: string | undefined
    readonly baseUrl?: string | undefined
    /** The text of the file that `--api-key-file` names. */
    readonly apiKey?: string | undefined
  }
  readonly env: World['env']
  readonly profiles: Pick<ProfileStore, 'get' | 'current'>
}

/**
 * Decides which key is sent to which address. Each comes from the flags, else from the environment, else from the profile,
 * with two exceptions: the key of an explicit `--profile` takes precedence over PUBCTL_API_KEY, and a profile's key is only
 * sent to the profile's own origin. The current profile is only read when something is still missing, so a script that
 * sets both key and address does the same on every machine.
 */
export async function resolveSettings({ flags, env, profiles }: SettingsInputs): Promise<Settings> {
  const given = readGiven(flags, env)
  const { address, flagKey, environmentKey } = given
  const named = given.profile
  const needsMore = address === undefined || (flagKey ?? environmentKey) === undefined
  const name = named?.name ?? (needsMore ? await profiles.current() : undefined)

  if (name === sandboxName) return sandboxSettings(given)
  const profile = name === undefined ? undefined : await profiles.get(name)

  const profileKey = profile && name !== undefined ? keyOf(name, profile) : undefined
  const key =
    flagKey ??
    (named?.isExplicit ? (profileKey ?? environmentKey) : (environmentKey ?? profileKey)) ??
    missingKey(name)
  const baseUrl = address?.baseUrl ?? profile?.baseUrl ?? missingAddress()
  const source = address?.name ?? `the profile "${name}"`
  const isHome = profile !== undefined && isSameOrigin(baseUrl, profile.baseUrl)
  if (key === profileKey && !isHome) throw keyOfAnother(name, source)
  if (!(isHome && profile.allowHttp)) refuseInsecure(baseUrl, source)
  return {
    isSandbox: false,
    baseUrl,
    baseUrlSource: address?.from ?? 'profile',
    key,
    ...(name === undefined ? {} : { profileName: name }),
    multiValue: profile?.multiValue ?? given.multiValue ?? 'repeat',
  }
}

type Given = ReturnType<typeof readGiven>

/** The flags and the environment. Variables are read even where a flag overrides them: an empty one is always an error. */
function readGiven(flags: SettingsInputs['flags'], env: World['env']) {
  const [name, url, key] = [
    variable(env, 'PUBCTL_PROFILE'),
    variable(env, 'PUBCTL_BASE_URL'),
    variable(env, 'PUBCTL_API_KEY'),
  ]
  const keyText = flags.apiKey === undefined ? undefined : withoutFinalNewline(flags.apiKey)
  return {
    multiValue: multiValueIn(env),
    profile: firstOf(flags.profile, name, (name, isFlag) => ({ name, isExplicit: isFlag })),
    address: firstOf(flags.baseUrl, url, (text, isFlag) => {
      const name = isFlag ? '--base-url' : 'PUBCTL_BASE_URL'
      return {
        baseUrl: parseAddress(text, name),
        name,
        from: isFlag ? ('flag' as const) : ('environment' as const),
      }
    }),
    flagKey:
      keyText === undefined
        ? undefined
        : { from: 'flag' as const, value: checkKey(keyText, '--api-key-file') },
    environmentKey:
      key === undefined
        ? undefined
        : { from: 'environment' as const, value: checkKey(key, 'PUBCTL_API_KEY') },
  }
}

function firstOf<T>(
  flag: string | undefined,
  setting: string | undefined,
  make: (text: string, isFlag: boolean) => T,
) {
  if (flag !== undefined) return make(flag, true)
  return setting === undefined ? undefined : make(setting, false)
}

function sandboxSettings({ profile, address, flagKey, environmentKey, multiValue }: Given): SandboxSettings {
  if (address !== undefined && profile === undefined) throw keyOfAnother(sandboxName, address.name)
  if (address !== undefined) {
    throw new UsageFailure(
      `the profile ${sandboxName} has an address of its own, and ${address.name} gives another`,
      {
        hint: `Leave one of them out.`,
      },
    )
  }
  const key = flagKey ?? (profile?.isExplicit ? undefined : environmentKey) ?? { from: 'sandbox' as const }
  return { isSandbox: true, key, profileName: sandboxName, multiValue: multiValue ?? 'repeat' }
}

function keyOf(name: string, { apiKey, keyCommand, keychain }: Profile): KeySource | undefined {
  if (apiKey !== undefined) return { from: 'profile', value: apiKey }
  if (keychain !== undefined) return { from: 'keychain', profile: name, id: keychain }
  return keyCommand === undefined ? undefined : { from: 'keyCommand', command: keyCommand }
}

function missingKey(name: string | undefined): never {
  throw noKey(
    name === undefined ? 'there is no API key to use' : `the profile "${name}" has no key`,
    `Set ${name === undefined ? 'a profile' : 'it'} up with: pubctl profile setup. To try things out without an account, add: --profile ${sandboxName}`,
  )
}

function missingAddress(): never {
  throw new UsageFailure('there is a key, but no address of a service to use it with', {
    code: 'no_address',
    hint: `Give --base-url or PUBCTL_BASE_URL, or set a profile up with: pubctl profile setup`,
  })
}

const keyOfAnother = (name: string | undefined, source: string): Failure =>
  noKey(
    `the key of the profile "${name}" is only sent to that profile's address, and ${source} gives another`,
    `Give the key for that address with --api-key-file, or leave the other address out.`,
  )

const noKey = (message: string, hint: string): Failure =>
  new Failure(message, { code: 'no_api_key', exitCode: exitCodes.notAuthenticated, hint })
