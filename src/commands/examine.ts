import { parseAddress } from '../config/address.ts'
import type { Settings } from '../config/settings.ts'
import { type Context, formatOf } from '../context.ts'
import { type Finding, fail, pass, skip } from '../doctor/finding.ts'
import { checkAuthorities, checkConfiguration, checkNode } from '../doctor/machine.ts'
import { checkConnection, checkName, checkProxy, checkStore } from '../doctor/network.ts'
import { checkService } from '../doctor/service.ts'
import { Failure, UsageFailure } from '../errors.ts'
import { neutraliseLine } from '../output/neutralise.ts'
import type { View } from '../output/view.ts'
import { wrap } from '../output/wrap.ts'
import { readTarget } from '../transfer/session.ts'
import { version } from '../version.ts'
import type { World } from '../world.ts'
import { readSessionFile } from './uploads.ts'

/** Every check, in the order in which one rests on the other. */
export async function examine(context: Context, store: string | undefined): Promise<Finding[]> {
  const { world, directories, profiles } = context
  const findings = [
    checkNode(version, world.platform),
    await checkConfiguration(directories.configDir, profiles),
    await checkAuthorities(world.env, world.clock.now()),
  ]
  const settings = await attempt('settings', () => context.settings(), findings)
  if (settings) findings.push(pass('settings', describe(settings)))
  const target =
    settings && (await attempt(settings.isSandbox ? 'sandbox' : 'key', () => context.target(), findings))
  const address =
    target?.baseUrl ?? (settings?.isSandbox ? undefined : (settings?.baseUrl ?? addressAlone(context)))
  const isReached =
    address !== undefined && (await examineWay(context, address, settings?.isSandbox ?? false, findings))
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

/** The way to the service: proxy, name, connection. Gives whether it is open. */
async function examineWay(
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

/** What `work` gives; a failure of it is a finding. */
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

/** What the system refused, such as a folder for the sandbox; nothing for a fault of pubctl. */
const systemFailure = (error: unknown): Failure | undefined =>
  error instanceof Error && 'errno' in error ? new UsageFailure(error.message, { cause: error }) : undefined

/** The address that is given by a flag or the environment, when the settings as a whole are not fit. */
function addressAlone({ options, world }: Context): string | undefined {
  const text = options.baseUrl ?? world.env['PUBCTL_BASE_URL']
  try {
    return text ? parseAddress(text, '--base-url') : undefined
  } catch {
    return undefined
  }
}

function describe(settings: Settings): string {
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

/** Only an upload session names the store of uploads, and asking for one would change something on the service. */
const withoutSession = (settings: Settings | undefined): Finding =>
  settings?.isSandbox
    ? pass('store', 'the sandbox keeps the files itself')
    : skip(
        'store',
        'not checked: its address is known only once an upload session exists',
        'Make one and check it: pubctl uploads create book.epub --json | pubctl doctor --session -',
      )

/** The address of the store in the file of a session. */
export async function storeOf(context: Context, file: string): Promise<string> {
  const { uploadUrl } = readTarget(await readSessionFile(context, file))
  if (URL.canParse(uploadUrl) && /^https?:/.test(uploadUrl)) return uploadUrl
  throw new UsageFailure('the upload address of the session is neither https nor http')
}

export async function print(
  view: View,
  { out, err, options, list }: Context,
  findings: readonly Finding[],
): Promise<void> {
  const rows = findings.map(({ check, status, message, hint }) => ({
    check,
    status,
    message: err.hide(message),
    hint,
  }))
  const isForPerson = formatOf(options) === 'table' && out.isTerminal && !options.fields && !options.query
  if (!isForPerson) return await list(view, [rows])
  const colours = { pass: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const
  const width = Math.max(...rows.map(({ check }) => check.length))
  for (const { check, status, message, hint } of rows) {
    const head = `${out.paint(colours[status], status)}  ${check.padEnd(width)}  `
    const indent = ' '.repeat(width + 8)
    const told = (text: string) => wrap(`${indent}${neutraliseLine(text)}`, out.width, indent)
    await out.styled(`${head}${told(message).slice(indent.length)}\n`)
    if (hint) await out.styled(`${told(hint)}\n`)
  }
}

export function summary(findings: readonly Finding[], first: Failure): Failure {
  const count = findings.filter(({ failure }) => failure).length
  return new Failure(`${count} of ${findings.length} checks failed; the first: ${first.message}`, {
    code: first.code,
    exitCode: first.exitCode,
    hint: first.hint,
  })
}
