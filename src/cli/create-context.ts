import { directoriesOf } from '../config/paths.ts'
import { openProfiles } from '../config/profiles.ts'
import { type KeySource, resolveSettings } from '../config/settings.ts'
import type { Call } from '../service/client/call.ts'
import type { Exchange } from '../service/client/exchanges.ts'
import { cutText } from '../system/cut-text.ts'
import { userAgent } from '../system/version.ts'
import type { World } from '../system/world.ts'
import type { Received } from './completion-cache.ts'
import type { Context, EmbeddedSandbox, GlobalOptions, ListEnd, PlannedRequest } from './context.ts'
import { formatOf } from './context.ts'
import { createAsk } from './output/ask.ts'
import { didYouMean } from './output/did-you-mean.ts'
import { neutraliseJson, neutraliseLine } from './output/neutralise.ts'
import { openWriters } from './output/open-writers.ts'
import { createPresenter, type Paged } from './output/present.ts'
import { hideInJson, hideKnownSecrets, rememberKey, rememberPresignedQuery } from './output/secrets.ts'
import type { View } from './output/view.ts'
import { createWaiting, silentWaiting } from './output/waiting.ts'
import { wrap } from './output/wrap.ts'
import { createLineWriter } from './output/writer.ts'

/** What a context is given by the program, which knows the commands. */
interface FromProgram {
  readonly openSandbox: (world: World) => Promise<EmbeddedSandbox>
  /** Such as `publications upload`. */
  readonly command: string
  /** The commands that go on from the end of a list, for `--envelope`. */
  readonly nextOf?: (end: ListEnd) => readonly string[]
  /** Whether long tables go through a pager: those that were asked for, not those that say what was done. */
  readonly isPaged: boolean
}

/** The context of a command. Services and files are opened when they are first used. */
export function createContext(
  world: World,
  options: GlobalOptions,
  { openSandbox, command, nextOf = () => [], isPaged }: FromProgram,
): Context {
  const { out, err } = openWriters(world, options)
  const format = formatOf(options)
  const isQuiet = options.quiet === true || format === 'json' || format === 'ndjson'
  const { onProgress } = world
  const showsProgress =
    onProgress !== undefined || !isQuiet || (options.progress === true && !options.quiet && err.isTerminal)
  const directories = directoriesOf(world)
  const profiles = openProfiles(directories.configDir)
  let cut: ListEnd['cut']
  let hasSelected = false
  const planned: PlannedRequest[] = []
  const steps: object[] = []
  const closers: (() => Promise<void>)[] = []

  const progressWriter = onProgress ? createLineWriter(onProgress, err.hide) : err

  const progress = async () => {
    const { createProgress, silentProgress } = await import('./output/progress.ts')
    return showsProgress ? createProgress(progressWriter, world.clock) : silentProgress
  }
  const waiting = showsProgress ? createWaiting(progressWriter, world.clock, progress) : silentWaiting
  const paged: Paged = async (writer, print) => {
    if (!isPaged || options.pager === false || !canAsk(world, options) || !world.loadPager)
      return await print(writer)
    const { printPaged } = await import('./output/paged.ts')
    await printPaged(writer, world.env, await world.loadPager(), waiting, print)
  }
  const note: Context['note'] = async text => {
    if (!isQuiet) await err.write(`${wrap(neutraliseLine(text), err.width)}\n`)
  }
  const selected = {
    ...{ format, fields: options.fields, query: options.query },
    onNarrow: (left: readonly string[]) =>
      note(`There was no room for ${left.join(', ').toLowerCase()}; --fields names what to show.`),
    onMissing: (name: string, near: string | undefined, own: readonly string[]) =>
      context.warn({
        code: 'query_field',
        message: `--query names the field "${name}", which is nowhere in the result${didYouMean(near)}`,
        ...(own.length > 0 && { hint: `The fields are ${own.join(', ')}.` }),
      }),
    onSelected() {
      hasSelected = true
    },
    ...(options.envelope && { next: (view: View, first: unknown) => nextOf({ view, first, cut }) }),
  }
  const presenter = createPresenter(out, selected, paged)

  const keyFromFlag = once(async () =>
    options.apiKeyFile === undefined
      ? undefined
      : await (await import('../config/key-file.ts')).readKeyFile(options.apiKeyFile, world),
  )
  const settings = once(async () =>
    resolveSettings({
      flags: { profile: options.profile, baseUrl: options.baseUrl, apiKey: await keyFromFlag() },
      env: world.env,
      profiles,
    }),
  )
  const http = once(async () => {
    // The sandbox is in this process and must not be reached through a proxy.
    const isSandbox = await settings().then(
      chosen => chosen.isSandbox,
      () => false,
    )
    const openHttp = world.openHttp ?? (await import('../service/client/http.ts')).openHttp
    const { proxySecrets } = await import('../service/client/proxy.ts')
    for (const secret of proxySecrets(world.env)) rememberKey(world, secret)
    const opened = openHttp(isSandbox ? {} : world.env)
    closers.push(opened.close)
    return (await import('../service/client/exchanges.ts')).watched(opened, {
      clock: world.clock,
      onPresigned: query => rememberPresignedQuery(world, query),
      onExchange: options.verbose
        ? exchange => void err.write(`${neutraliseLine(exchangeLine(exchange))}\n`)
        : undefined,
    })
  })
  const keyOf = async (key: KeySource): Promise<string> => {
    if (key.from === 'keychain') {
      const { openKeychain } = await import('../config/keychain.ts')
      return await openKeychain(directories.configDir, world, context.note).get(key.profile, key.id)
    }
    if (key.from !== 'keyCommand') return key.value
    const { runKeyCommand } = await import('../config/key-command.ts')
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
    const { createServiceClient } = await import('../service/client/call.ts')
    return createServiceClient(
      { ...destination, userAgent, timeout: options.timeout, waiting },
      await http(),
      world,
    )
  }
  const client = once(
    async () => await connect({ ...(await target()), multiValue: (await settings()).multiValue }),
  )

  const completionCache = once(async () => {
    const { openCompletionCache, cacheKey } = await import('./completion-cache.ts')
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
    const answer = await (await client()).call(endpoint, input, callOptions)
    scopeId = answer.value.context?.authentication?.scopeId ?? scopeId
    if (endpoint.method === 'DELETE') cache.remove(endpoint.path, input)
    else {
      const { beginningOf } = await import('../service/client/read.ts')
      cache.add(endpoint.path, input, beginningOf(endpoint, answer, cache.mostItems) as Received)
    }
    return answer
  }

  const context: Context = {
    world,
    command,
    options,
    format,
    directories,
    profiles,
    out,
    err,
    isQuiet,
    showsProgress,
    progressWriter,
    planned,
    hasSelected: () => hasSelected,
    ask: createAsk(promptStreams(world, options), err),
    keyFromFlag,
    settings,
    target,
    connect,
    client,
    http,
    scopeId: () => scopeId,
    call,
    waiting,
    async change(endpoint, input, about = {}) {
      if (!options.dryRun) return await call(endpoint, input)
      const { requestFor } = await import('../service/client/call.ts')
      const chosen = await settings()
      const fields = input as Record<string, unknown>
      const { method, path, body } = await requestFor(endpoint, fields, chosen.multiValue)
      context.plan({
        method,
        url: `${chosen.isSandbox ? 'sandbox:' : chosen.baseUrl}${path}`,
        ...(body ? { body } : {}),
        ...about,
      })
      return undefined
    },
    plan: request => void planned.push(request),
    planStep: (step, before) => void steps.push({ ...step, requests: planned.slice(before) }),
    steps,
    ...presenter,
    note,
    warn: async warning => {
      if (options.quiet) return
      const { code } = warning
      const message = cutText(warning.message)
      const hint = warning.hint === undefined ? null : cutText(warning.hint)
      if (format === 'json' || format === 'ndjson') {
        return await err.json(`${neutraliseJson(JSON.stringify({ warning: { code, message, hint } }))}\n`)
      }
      const text = wrap(`warning: ${neutraliseLine(message)}`, err.width)
      const further = hint === null ? '' : `${wrap(`  ${neutraliseLine(hint)}`, err.width, '  ')}\n`
      await err.styled(`${err.paint('yellow', 'warning:')}${text.slice(8)}\n${further}`)
    },
    progress,
    cut(token) {
      cut = { token }
    },
    onClose: close => void closers.push(close),
    async close() {
      // First, since requests that are broken off now are not waited for.
      waiting.close()
      for (const close of closers.reverse()) await close()
    },
  }
  return context
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Whether somebody is at the terminal who can press keys. */
function canAsk(world: World, options: GlobalOptions): boolean {
  const isAtTerminal = world.stdout.isTTY === true && world.stdin.isTTY === true
  return isAtTerminal && !world.env['CI'] && options.input !== false && formatOf(options) === 'table'
}

/** The streams to ask questions on; undefined where nobody can be asked. */
function promptStreams(world: World, options: GlobalOptions) {
  if (!canAsk(world, options) || world.stdout.isTTY !== true) return undefined
  return {
    input: world.stdin,
    output: world.stderr.isTTY ? world.stderr : world.stdout,
    signal: world.signal,
  }
}

/** The line that `--verbose` prints for a request. */
const exchangeLine = ({ method, url, status, milliseconds, requestId, trouble }: Exchange): string =>
  `${method} ${url} → ${status ?? trouble} (${Math.round(milliseconds)} ms${requestId ? `, request ${requestId}` : ''})`
