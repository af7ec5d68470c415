import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageFailure } from '../errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import { checkOwnership } from '../system/ownership.ts'
import { type Clock, systemClock } from '../world.ts'
import { refuseInsecure } from './address.ts'
import { configPath, readConfig, type Stored } from './config-file.ts'
import { checkProfileName, keychainIdIn, type Profile, parseProfile, sandboxName } from './profile.ts'

interface NamedProfile {
  readonly name: string
  readonly profile: Profile
  readonly isCurrent: boolean
}

/** A file or folder that others than its owner can reach. */
interface LooseMode {
  readonly path: string
  readonly mode: number
  /** The mode it should have. */
  readonly wanted: number
}

/** The saved profiles. The built-in `sandbox` is not among them, but may be the current one. */
export interface ProfileStore {
  /** All of them, by name. */
  list(): Promise<NamedProfile[]>
  /** Throws `unknown_profile` when there is none of that name. */
  get(name: string): Promise<Profile>
  /** The name of the profile that is used when none is named. */
  current(): Promise<string | undefined>
  /**
   * Adds or replaces a profile; the first one becomes the current one. Gives the id in the keychain of a key that no
   * profile has any more.
   */
  save(name: string, profile: Profile): Promise<string | undefined>
  /** Makes a profile, or the sandbox, the current one. */
  use(name: string): Promise<void>
  /** Removes a profile, and gives such an id; there is no current one afterwards if it was that. */
  remove(name: string): Promise<string | undefined>
  /** What to warn of: the configuration's modes are reported, never changed behind the person's back. */
  looseModes(): LooseMode[]
}

type Profiles = Record<string, unknown>

/** The profiles in a folder. Nothing is read before one of them is needed, and nothing made before one is saved. */
export function openProfiles(
  folder: string,
  { clock = systemClock, platform = process.platform }: { clock?: Clock; platform?: NodeJS.Platform } = {},
): ProfileStore {
  const path = configPath(folder)

  // Each read opens the file anew: other processes write it too.
  const read = async (): Promise<Stored> => (modeOf(path) === undefined ? {} : readConfig(folder))

  const change = async (
    edit: (profiles: Profiles, current: string | undefined) => string | undefined,
  ): Promise<void> => {
    const { withLock } = await import('./lock.ts')
    makeConfigFolder(folder)
    checkOwnership(folder)
    await withLock(
      join(folder, 'config.lock'),
      async confirm => {
        const stored = await read()
        const profiles = profilesIn(stored, path)
        const current = edit(profiles, currentIn(stored, path))
        const { writeConfig } = await import('./config-writer.ts')
        confirm()
        writeConfig(folder, { ...stored, current, profiles })
      },
      clock,
    )
  }

  return {
    async list() {
      const stored = await read()
      const current = currentIn(stored, path)
      return Object.entries(profilesIn(stored, path))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => ({ name, profile: parse(value, name, path), isCurrent: name === current }))
    },
    async get(name) {
      const profiles = profilesIn(await read(), path)
      mustHave(profiles, name)
      return parse(profiles[name], name, path)
    },
    async current() {
      return currentIn(await read(), path)
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
    looseModes() {
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

/** A file's or folder's mode, or nothing when there is none. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode
  } catch {
    // It lies in a folder that is closed to us, so reading it will fail with the proper words.
    return 0
  }
}

/** conf would make the folder readable for everybody. */
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

/** A copy that may be changed. It is only asked for what it has itself, since a profile may be called "constructor". */
function profilesIn(stored: Stored, path: string): Profiles {
  const profiles = stored['profiles'] ?? {}
  if (typeof profiles !== 'object' || Array.isArray(profiles))
    throw unfit(path, '"profiles" is not an object')
  return { ...profiles }
}

function currentIn(stored: Stored, path: string): string | undefined {
  const current = stored['current'] ?? undefined
  if (current !== undefined && typeof current !== 'string') throw unfit(path, '"current" is not a name')
  return current
}

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

const unfit = (path: string, trouble: string): UsageFailure =>
  new UsageFailure(`in ${path}, ${trouble}`, { code: 'config_broken', hint: 'Correct it in an editor.' })
