import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import { checkOwnership } from '../system/ownership.ts'
import { refuseInsecure } from './address.ts'
import type { ConfigFile, Stored } from './config-file.ts'
import { checkProfileName, keychainIdIn, type Profile, parseProfile, sandboxName } from './profile.ts'

interface NamedProfile {
  readonly name: string
  readonly profile: Profile
  readonly isCurrent: boolean
}

/** A file or folder that other users can read. */
interface UnsafeMode {
  readonly path: string
  readonly mode: number
  /** The mode that it should have. */
  readonly wanted: number
}

/** The saved profiles. They do not include the built-in `sandbox`, which can still be the current profile. */
export interface ProfileStore {
  /** All profiles, sorted by name. */
  list(): Promise<NamedProfile[]>
  /** Throws UsageFailure `unknown_profile` when there is no profile of that name. */
  get(name: string): Promise<Profile>
  /** The name of the profile that is used without `--profile`. */
  current(): Promise<string | undefined>
  /** Adds or replaces a profile, and returns the keychain id of the replaced one. The first profile becomes the current one. */
  save(name: string, profile: Profile): Promise<string | undefined>
  /** Makes a profile, or the sandbox, the current profile. */
  use(name: string): Promise<void>
  /** Removes a profile and returns its keychain id. If it was the current profile, there is none afterwards. */
  remove(name: string): Promise<string | undefined>
  /** The config folder and file, if other users can read them. Modes are reported and never changed. */
  unsafeModes(): UnsafeMode[]
}

type Profiles = Record<string, unknown>

/** The profiles in a config folder. It is only read when a method is called, and only created when a profile is saved. */
export function openProfiles(
  folder: string,
  { platform = process.platform }: { platform?: NodeJS.Platform } = {},
): ProfileStore {
  const path = join(folder, 'config.json')

  let config: ConfigFile | undefined
  const open = async (): Promise<ConfigFile> => {
    config ??= (await import('./config-file.ts')).openConfig(path)
    return config
  }
  // Without a file there is no folder either, which conf would make.
  const read = async (): Promise<Stored> => (modeOf(path) === undefined ? {} : (await open()).read())

  const change = async (
    edit: (profiles: Profiles, current: string | undefined) => string | undefined,
  ): Promise<void> => {
    const { withLock } = await import('./lock.ts')
    const { checkWritable } = await import('../system/write-file.ts')
    makeConfigFolder(folder)
    checkOwnership(folder)
    await withLock(join(folder, 'config.lock'), async confirm => {
      const stored = await read()
      const profiles = profilesIn(stored)
      const current = edit(profiles, currentIn(stored))
      const { write } = await open()
      checkWritable(path)
      confirm()
      write({ ...stored, current, profiles })
    })
  }

  return {
    async list() {
      const stored = await read()
      const current = currentIn(stored)
      return Object.entries(profilesIn(stored))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => ({ name, profile: parse(value, name, path), isCurrent: name === current }))
    },
    async get(name) {
      const profiles = profilesIn(await read())
      mustHave(profiles, name)
      return parse(profiles[name], name, path)
    },
    async current() {
      return currentIn(await read())
    },
    async save(name, profile) {
      checkProfileName(name)
      const checked = parseProfile(profile, `the profile "${name}"`)
      if (!checked.allowHttp) refuseInsecure(checked.baseUrl, `the profile "${name}"`)
      let replaced: string | undefined
      await change((profiles, current) => {
        replaced = idIn(profiles, name)
        profiles[name] = checked
        return current ?? name
      })
      return replaced
    },
    async use(name) {
      await change(profiles => {
        if (name !== sandboxName) mustHave(profiles, name)
        return name
      })
    },
    async remove(name) {
      if (name === sandboxName) checkProfileName(name)
      let removed: string | undefined
      await change((profiles, current) => {
        mustHave(profiles, name)
        removed = idIn(profiles, name)
        delete profiles[name]
        return current === name ? undefined : current
      })
      return removed
    },
    unsafeModes() {
      if (platform === 'win32') return []
      return [
        { path: folder, wanted: 0o700 },
        { path, wanted: 0o600 },
      ].flatMap(({ path, wanted }) => {
        const mode = (modeOf(path) ?? 0) & 0o777
        return (mode & 0o077) === 0 ? [] : [{ path, mode, wanted }]
      })
    },
  }
}

/** The mode of a file or folder; undefined when it does not exist. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode
  } catch {
    // The folder cannot be entered. Reading the file will fail with a message that says so.
    return 0
  }
}

/** Creates the folder for its owner alone. conf would make it readable for everybody. */
function makeConfigFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw new UsageFailure(`cannot make the folder ${folder}: ${(error as NodeJS.ErrnoException).code}`, {
      code: 'config_unwritable',
      hint: 'Name another folder in PUBCTL_CONFIG_DIR.',
      cause: error,
    })
  }
}

/** A copy of the stored profiles. Look names up with Object.hasOwn, because a profile may be called "constructor". */
const profilesIn = ({ profiles }: Stored): Profiles => ({ ...profiles })

const currentIn = ({ current }: Stored): string | undefined => current ?? undefined

const parse = (value: unknown, name: string, path: string): Profile =>
  parseProfile(value, `the profile "${name}" in ${path}`)

const idIn = (profiles: Profiles, name: string): string | undefined =>
  Object.hasOwn(profiles, name) ? keychainIdIn(profiles[name]) : undefined

function mustHave(profiles: Profiles, name: string): void {
  if (Object.hasOwn(profiles, name)) return
  const known = [...Object.keys(profiles).sort(), sandboxName]
  throw new UsageFailure(`there is no profile "${name}"`, {
    code: 'unknown_profile',
    hint: `The profiles are ${known.join(', ')}. Add one with: pubctl profile setup`,
  })
}
