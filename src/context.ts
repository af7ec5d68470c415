import type { Call, Client } from './client/call.ts'
import type { Exchange } from './client/exchanges.ts'
import type { Http } from './client/http.ts'
import { type Directories, directoriesOf } from './config/paths.ts'
import { openProfiles, type ProfileStore } from './config/profiles.ts'
import { type KeySource, resolveSettings, type Settings } from './config/settings.ts'
import type { Endpoint, Input, Output } from './contract/endpoint.ts'
import { UsageFailure } from './errors.ts'
import { type Ask, createAsk } from './output/ask.ts'
import { neutraliseJson, neutraliseLine } from './output/neutralise.ts'
import { createPresenter, type Presenter } from './output/present.ts'
import type { Progress } from './output/progress.ts'
import {
  hideInJson,
  hideKnownSecrets,
  hideSecrets,
  rememberKey,
  rememberPresignedQuery,
} from './output/secrets.ts'
import type { Format } from './output/view.ts'
import { createWaiting, silentWaiting, type Waiting } from './output/waiting.ts'
import { wrap } from './output/wrap.ts'
import { createWriter, type Writer, wantsColour } from './output/writer.ts'
import { userAgent } from './version.ts'
import type { Warning } from './warning.ts'
import type { World } from './world.ts'

/** The options that every command takes, as the command line gave them. */
export interface GlobalOptions {
  profile?: string
  baseUrl?: string
  apiKeyFile?: string
  output?: Format
  json?: boolean
  fields?: string[]
  query?: string
  quiet?: boolean
  verbose?: boolean
  color?: 'auto' | 'always' | 'never'
  /** False after `--no-input`. */
  input?: boolean
  yes?: boolean
  dryRun?: boolean
  /** Milliseconds. */
  timeout?: number
}

/** The embedded service, as far as a command needs to know it. */
export interface Embedded {
  baseUrl: string
  key: string
  close(): Promise<void>
}

/** A request that `--dry-run` printed instead of sending it. */
interface PlannedRequest {
  method: string
  url: string
  body?: unknown
}

/** Everything a command may touch. */
export interface Context extends Presenter {
  readonly world: World
  readonly options: GlobalOptions
  readonly directories: Directories
  readonly profiles: ProfileStore
  readonly out: Writer
  readonly err: Writer
  readonly ask: Ask
  /** True when stderr is to stay empty unless something fails: `--quiet` or a JSON format. */
  readonly isQuiet: boolean
  /** The text of the file that `--api-key-file` names. */
  keyFromFlag(): Promise<string | undefined>
  settings(): Promise<Settings>
  /** The address and the key that are used; asking for it starts the sandbox where that is the profile. */
  target(): Promise<{ readonly baseUrl: string; readonly key: string }>
  /** A client for a service that is not, or not yet, the one of the settings. */
  connect(destination: { baseUrl: string; key: string; multiValue: 'repeat' | 'comma' }): Promise<Client>
  client(): Promise<Client>
  http(): Promise<Http>
  /** The scope that the answers to calls are of (`context.authentication.scopeId`); null as long as none has told it. */
  scopeId(): string | null
  /** Calls an endpoint that only reads. */
  readonly call: Call
  /** Shows what is waited for, and why it is tried again. */
  readonly waiting: Waiting
  /** Calls an endpoint that changes something; with `--dry-run` notes the request and gives nothing. */
  change<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Output<E> | undefined>
  /** Notes a request that `--dry-run` will print. */
  plan(request: PlannedRequest): void
  readonly planned: readonly PlannedRequest[]
  /** Notes a step of a plan that `--dry-run` will print, with the requests noted since there were `before` of them. */
  planStep(step: object, before: number): void
  readonly steps: readonly object[]
  /** A line for the person on stderr; silent when quiet. */
  note(text: string): Promise<void>
  /** A warning on stderr in the format of the results; only `--quiet` silences it. */
  warn(warning: Warning): Promise<void>
  progress(): Promise<Progress>
  close(): Promise<void>
}

/** Turns an action that takes a context into one that commander can call. */
export type Run = <A extends unknown[]>(
  action: (context: Context, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>

/** The chosen output format. */
export const formatOf = ({ json, output }: GlobalOptions): Format => (json ? 'json' : (output ?? 'table'))

export function createContext(
  world: World,
  options: GlobalOptions,
  openSandbox: (world: World) => Promise<Embedded>,
): Context {
  const { out, err } = openWriters(world, options)
  const format = formatOf(options)
  const isQuiet = options.quiet === true || format === 'json' || format === 'ndjson'
  const directories = directoriesOf(world)
  const profiles = openProfiles(directories.configDir)
  const presenter = createPresenter(out, { format, fields: options.fields, query: options.query })
  const planned: PlannedRequest[] = []
  const steps: object[] = []
  const closers: (() => Promise<void>)[] = []

  const progress = async () => {
    const { createProgress, silentProgress } = await import('./output/progress.ts')
    return isQuiet ? silentProgress : createProgress(err, world.clock)
  }
  const waiting = isQuiet ? silentWaiting : createWaiting(err, world.clock, progress)
  closers.push(async () => waiting.close())

  const keyFromFlag = once(async () =>
    options.apiKeyFile === undefined ? undefined : await readKeyFile(options.apiKeyFile, world),
  )
  const settings = once(async () =>
    resolveSettings({
      flags: { profile: options.profile, baseUrl: options.baseUrl, apiKey: await keyFromFlag() },
      env: world.env,
      profiles,
    }),
  )
  const http = once(async () => {
    // The sandbox is in this very process: no proxy of the environment may come between.
    const isSandbox = await settings().then(
      chosen => chosen.isSandbox,
      () => false,
    )
    const opened = (await import('./client/http.ts')).openHttp(isSandbox ? {} : world.env)
    closers.push(opened.close)
    return (await import('./client/exchanges.ts')).watched(opened, {
      clock: world.clock,
      onPresigned: query => rememberPresignedQuery(world, query),
      onExchange: options.verbose
        ? exchange => void err.write(`${neutraliseLine(describe(exchange))}\n`)
        : undefined,
    })
  })
  const keyOf = async (key: KeySource): Promise<string> => {
    if (key.from === 'keychain') {
      const { openKeychain } = await import('./config/keychain.ts')
      return await openKeychain(directories.configDir, world, context.note).get(key.profile, key.id)
    }
    if (key.from !== 'keyCommand') return key.value
    const { runKeyCommand } = await import('./config/key-command.ts')
    return await runKeyCommand(key.command, world)
  }
  const target = once(async () => {
    const chosen = await settings()
    if (!chosen.isSandbox) return { baseUrl: chosen.baseUrl, key: await keyOf(chosen.key) }
    const embedded = await openSandbox(world)
    closers.push(embedded.close)
    return { baseUrl: embedded.baseUrl, key: chosen.key.from === 'sandbox' ? embedded.key : chosen.key.value }
  })
  const connect: Context['connect'] = async destination => {
    rememberKey(world, destination.key)
    const { createClient } = await import('./client/call.ts')
    return createClient({ ...destination, userAgent, timeout: options.timeout, waiting }, await http(), world)
  }
  const client = once(
    async () => await connect({ ...(await target()), multiValue: (await settings()).multiValue }),
  )

  const completionCache = once(async () => {
    const { openCompletionCache, cacheKey } = await import('./config/completion-cache.ts')
    const opened = openCompletionCache(
      directories.cacheDir,
      cacheKey(await settings(), directories.dataDir),
      world.clock.now,
    )
    closers.push(async () => opened.save(json => hideInJson(json, hideKnownSecrets(world))))
    return opened
  })
  let scopeId: string | null = null
  const call: Call = async (endpoint, input, callOptions) => {
    // Opened first, because an unsafe cache folder must be reported before anything is sent.
    const cache = await completionCache()
    const reply = await (await client()).call(endpoint, input, callOptions)
    scopeId = scopeIn(reply) ?? scopeId
    if (endpoint.method === 'DELETE') cache.remove(endpoint.path, input)
    else cache.add(endpoint.path, input, reply)
    return reply
  }

  const context: Context = {
    world,
    options,
    directories,
    profiles,
    out,
    err,
    isQuiet,
    planned,
    ask: createAsk(whereToAsk(world, options), err),
    keyFromFlag,
    settings,
    target,
    connect,
    client,
    http,
    scopeId: () => scopeId,
    call,
    waiting,
    async change(endpoint, input) {
      if (!options.dryRun) return await call(endpoint, input)
      const { requestFor } = await import('./client/call.ts')
      const chosen = await settings()
      const { method, path, body } = requestFor(endpoint, input as Record<string, unknown>, chosen.multiValue)
      context.plan({
        method,
        url: `${chosen.isSandbox ? 'sandbox:' : chosen.baseUrl}${path}`,
        ...(body ? { body } : {}),
      })
      return undefined
    },
    plan: request => void planned.push(request),
    planStep: (step, before) => void steps.push({ ...step, requests: planned.slice(before) }),
    steps,
    ...presenter,
    note: async text => {
      if (!isQuiet) await err.write(`${wrap(neutraliseLine(text), err.width)}\n`)
    },
    warn: async ({ code, message, hint = null }) => {
      if (options.quiet) return
      if (format === 'json' || format === 'ndjson') {
        return await err.json(`${neutraliseJson(JSON.stringify({ warning: { code, message, hint } }))}\n`)
      }
      const told = wrap(`warning: ${neutraliseLine(message)}`, err.width)
      const further = hint === null ? '' : `${wrap(`  ${neutraliseLine(hint)}`, err.width, '  ')}\n`
      await err.styled(`${err.paint('yellow', 'warning:')}${told.slice(8)}\n${further}`)
    },
    progress,
    async close() {
      for (const close of closers.reverse()) await close()
    },
  }
  return context
}

/**
 * The two doors to the outside, with colour where it is wanted. No key passes either. What stderr tells is for people and
 * logs; stdout holds what was asked for, such as an upload session with its address, so that nothing is hidden there by
 * its look alone.
 */
export function openWriters(world: World, { color = 'auto' }: GlobalOptions): { out: Writer; err: Writer } {
  const hasColour = (stream: World['stdout']) => wantsColour(color, world.env, stream.isTTY === true)
  const { stdout, stderr } = world
  return {
    out: createWriter(stdout, hasColour(stdout), { hide: hideKnownSecrets(world) }),
    err: createWriter(stderr, hasColour(stderr), { hide: hideSecrets(world), mayFail: true }),
  }
}

/** The scope that an answer is of; a service may leave it out, whatever its document says. */
function scopeIn(reply: { context?: { authentication?: { scopeId?: unknown } | null | undefined } | null }) {
  const scopeId = reply.context?.authentication?.scopeId
  return typeof scopeId === 'string' && scopeId !== '' ? scopeId : null
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function readKeyFile(path: string, world: World): Promise<string> {
  if (path !== '-') {
    const { readFile } = await import('./system/files.ts')
    return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new UsageFailure(`cannot read the key from ${path}: ${error.code ?? error.message}`, {
        code: 'file_unreadable',
        hint: 'Name a file that holds the key alone, or - for standard input.',
      })
    })
  }
  let text = ''
  for await (const chunk of world.stdin) text += chunk
  return text
}

/** Where a person can be asked, or nothing when nobody can: see "Asking a person" in the command surface. */
function whereToAsk(world: World, options: GlobalOptions) {
  const isHeard = world.stdout.isTTY === true && world.stdin.isTTY === true
  const isWanted = !world.env['CI'] && options.input !== false && formatOf(options) === 'table'
  if (!isHeard || !isWanted) return undefined
  return {
    input: world.stdin,
    output: world.stderr.isTTY ? world.stderr : world.stdout,
    signal: world.signal,
  }
}

const describe = ({ method, url, status, milliseconds, requestId, trouble }: Exchange): string =>
  `${method} ${url} → ${status ?? trouble} (${Math.round(milliseconds)} ms${requestId ? `, request ${requestId}` : ''})`
