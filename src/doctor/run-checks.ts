import type { Context } from '../cli/context.ts'
import { parseAddress } from '../config/address.ts'
import type { Settings } from '../config/settings.ts'
import type { ProxyServer } from '../service/client/proxy.ts'
import { Failure, UsageFailure } from '../system/errors.ts'
import { version } from '../system/version.ts'
import { readSessionFile } from '../uploads/unfinished/session-file.ts'
import { type CheckName, type Finding, fail, pass, skip } from './finding.ts'
import { checkAuthorities, checkConfiguration, checkNode } from './machine.ts'
import { checkConnection, checkName, checkProxy, checkStore } from './network.ts'
import { checkService } from './service.ts'

/** What the checks so far have found out for later ones. */
interface Known {
  /** The address of the upload store to check. */
  readonly store: string | undefined
  settings?: Settings
  target?: Awaited<ReturnType<Context['target']>>
  address?: string | undefined
  proxy?: ProxyServer | undefined
  /** Whether there is an address, and nothing is found that keeps it from being reached. */
  isReachable?: boolean
}

type Check = (context: Context, known: Known) => Promise<readonly Finding[]> | readonly Finding[]

/** How each is checked, after what it depends on: by itself, or along with another one. */
const checks: Readonly<Record<CheckName, Check | CheckName>> = {
  node: ({ world }) => [checkNode(version, world.platform)],
  configuration: async ({ directories, profiles }) => [
    await checkConfiguration(directories.configDir, profiles),
  ],
  authorities: async ({ world }) => [await checkAuthorities(world.env, world.clock.now())],
  settings: (context, known) =>
    attempt('settings', async () => {
      known.settings = await context.settings()
      return [pass('settings', settingsText(known.settings))]
    }),
  sandbox: (context, known) => (known.settings?.isSandbox ? findTarget('sandbox', context, known) : []),
  // Whether there is one. The service says what it is worth.
  key: (context, known) => (known.settings?.isSandbox === false ? findTarget('key', context, known) : []),
  address(context, known) {
    const { settings, target } = known
    known.address =
      target?.baseUrl ?? (settings?.isSandbox ? undefined : (settings?.baseUrl ?? addressAlone(context)))
    return known.address === undefined ? [] : [pass('address', known.address)]
  },
  proxy({ world }, known) {
    if (known.address === undefined) return []
    const isSandbox = known.settings?.isSandbox ?? false
    const { finding, proxy } = checkProxy(known.address, isSandbox ? {} : world.env)
    known.proxy = proxy
    known.isReachable = !finding.failure
    return [isSandbox ? pass('proxy', 'none: the sandbox is on this machine') : finding]
  },
  async dns(_, known) {
    if (known.address === undefined || !known.isReachable) return []
    const finding = await checkName(known.address, known.proxy)
    known.isReachable = !finding.failure
    return [finding]
  },
  async connection(context, known) {
    if (known.address === undefined || !known.isReachable) return []
    const findings = await checkConnection(known.address, await context.http(), context.world)
    known.isReachable = !findings.some(({ failure }) => failure)
    return findings
  },
  tls: 'connection',
  async service(context, { address, settings, target, isReachable }) {
    if (address === undefined) return [skip('service', 'no address is known')]
    if (!target || !settings || !isReachable) return []
    const client = await context.connect({ ...target, multiValue: settings.multiValue })
    return await checkService(client, target.key, context.world)
  },
  keys: 'service',
  clock: 'service',
  store: async (context, { store, address, settings }) =>
    store === undefined
      ? [withoutSession(settings)]
      : await checkStore(store, address, await context.http(), context.world),
}

/** Makes all checks, one after the other. `store` is the address of the upload store to check. */
export async function runChecks(context: Context, store: string | undefined): Promise<Finding[]> {
  const known: Known = { store }
  const findings: Finding[] = []
  for (const check of Object.values(checks))
    if (typeof check === 'function') findings.push(...(await check(context, known)))
  return findings
}

const findTarget = (check: CheckName, context: Context, known: Known): Promise<readonly Finding[]> =>
  attempt(check, async () => {
    known.target = await context.target()
    return []
  })

/** What `work` finds. Its failure is a finding, too. */
async function attempt(
  check: CheckName,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work()
  } catch (error) {
    const failure = error instanceof Failure ? error : systemFailure(error)
    if (failure === undefined || failure.code === 'interrupted') throw error
    return [fail(check, failure)]
  }
}

/** An error of the operating system, such as for the sandbox's folder, as a failure; undefined for a fault in pubctl. */
const systemFailure = (error: unknown): Failure | undefined =>
  error instanceof Error && 'errno' in error ? new UsageFailure(error.message, { cause: error }) : undefined

/** The address from a flag or the environment, for when the settings as a whole are invalid. */
function addressAlone({ options, world }: Context): string | undefined {
  const text = options.baseUrl ?? world.env['PUBCTL_BASE_URL']
  try {
    return text ? parseAddress(text, '--base-url') : undefined
  } catch {
    return undefined
  }
}

function settingsText(settings: Settings): string {
  const profile = settings.profileName === undefined ? 'no profile' : `profile ${settings.profileName}`
  const sources = { flag: 'a flag', environment: 'the environment', profile: 'the profile' }
  const key = {
    ...sources,
    keyCommand: "the profile's key command",
    keychain: 'the keychain',
    sandbox: 'the sandbox',
  }[settings.key.from]
  return `${profile}, key from ${key}, address from ${settings.isSandbox ? 'the sandbox' : sources[settings.baseUrlSource]}`
}

/** The address of the store is only known from an upload session, and creating one would change something. */
const withoutSession = (settings: Settings | undefined): Finding =>
  settings?.isSandbox
    ? pass('store', 'the sandbox keeps the files itself')
    : skip(
        'store',
        'not checked: its address is known only once an upload session exists',
        'Make one and check it: pubctl uploads create book.epub --json | pubctl doctor --session -',
      )

/** The address of the upload store in a session file. Throws UsageFailure. */
export async function storeOf(context: Context, file: string): Promise<string> {
  const { uploadUrl } = (await readSessionFile(context, file)).file
  if (URL.canParse(uploadUrl) && /^https?:/.test(uploadUrl)) return uploadUrl
  throw new UsageFailure('the upload address of the session is neither https nor http')
}
