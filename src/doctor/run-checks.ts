import type { Context } from '../cli/context.ts'
import { parseAddress } from '../config/address.ts'
import type { Settings } from '../config/settings.ts'
import { Failure, UsageFailure } from '../system/errors.ts'
import { version } from '../system/version.ts'
import type { World } from '../system/world.ts'
import { readSessionFile } from '../uploads/unfinished/session-file.ts'
import { type Finding, fail, pass, skip } from './finding.ts'
import { checkAuthorities, checkConfiguration, checkNode } from './machine.ts'
import { checkConnection, checkName, checkProxy, checkStore } from './network.ts'
import { checkService } from './service.ts'

/** Runs all checks, each after those that it depends on. `store` is the address of the upload store to check. */
export async function runChecks(context: Context, store: string | undefined): Promise<Finding[]> {
  const { world, directories, profiles } = context
  const findings = [
    checkNode(version, world.platform),
    await checkConfiguration(directories.configDir, profiles),
    await checkAuthorities(world.env, world.clock.now()),
  ]
  const settings = await attempt('settings', () => context.settings(), findings)
  if (settings) findings.push(pass('settings', settingsText(settings)))
  const target =
    settings && (await attempt(settings.isSandbox ? 'sandbox' : 'key', () => context.target(), findings))
  const address =
    target?.baseUrl ?? (settings?.isSandbox ? undefined : (settings?.baseUrl ?? addressAlone(context)))
  const isReached =
    address !== undefined && (await checkReachable(context, address, settings?.isSandbox ?? false, findings))
  if (address === undefined) findings.push(skip('service', 'no address is known'))
  if (target && settings && isReached) {
    const client = await context.connect({ ...target, multiValue: settings.multiValue })
    findings.push(...(await checkService(client, target.key, world)))
  }
  findings.push(
    ...(store === undefined
      ? [withoutSession(settings)]
      : await checkStore(store, address, await context.http(), world)),
  )
  return findings
}

/** Checks the proxy, the host name and the connection. Returns whether the service can be reached. */
async function checkReachable(
  context: Context,
  address: string,
  isSandbox: boolean,
  findings: Finding[],
): Promise<boolean> {
  const env: World['env'] = isSandbox ? {} : context.world.env
  findings.push(pass('address', address))
  const { finding, proxy } = checkProxy(address, env)
  findings.push(isSandbox ? pass('proxy', 'none: the sandbox is on this machine') : finding)
  if (finding.failure) return false
  const name = await checkName(address, proxy)
  findings.push(name)
  if (name.failure) return false
  const connection = await checkConnection(address, await context.http(), context.world)
  findings.push(...connection)
  return !connection.some(({ failure }) => failure)
}

/** The result of `work`; its failure becomes a finding. */
async function attempt<T>(
  check: string,
  work: () => Promise<T>,
  findings: Finding[],
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const failure = error instanceof Failure ? error : systemFailure(error)
    if (failure === undefined || failure.code === 'interrupted') throw error
    findings.push(fail(check, failure))
    return undefined
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
