import { rmSync } from 'node:fs'
import type { RunningService } from '../sandbox/index.ts'
import type { SandboxVariant } from '../sandbox/variants.ts'
import { loadZod } from '../service/contract/load-zod.ts'
import { Failure, UsageFailure } from '../system/errors.ts'
import { freeDatabases } from '../system/free-databases.ts'
import { makeTemporaryFolder } from '../system/make-folder.ts'
import { forProgram } from './program-failure.ts'

export type { SandboxVariant } from '../sandbox/variants.ts'

/** What a sandbox is started with. */
export interface SandboxOptions {
  /** Where it keeps its data. By default a new folder for temporary files, which `close` deletes. */
  readonly dataDir?: string | undefined
  /** The port to listen on, at 127.0.0.1; by default a free one. */
  readonly port?: number | undefined
  /** Milliseconds that each of the two steps of processing takes at least; 150 by default. */
  readonly processingDelay?: number | undefined
  /** Milliseconds that an upload session can be used; a quarter of an hour by default. */
  readonly sessionLife?: number | undefined
  /** What goes wrong on purpose. */
  readonly faults?: SandboxFaults | undefined
  /** What it does in the other way that the service's document allows. */
  readonly variants?: readonly SandboxVariant[] | undefined
}

/** The share of the requests, from 0 to 1, to which each fault happens. */
export interface SandboxFaults {
  /** The connection is reset before the request is handled. */
  readonly reset?: number | undefined
  readonly 503?: number | undefined
  readonly 429?: number | undefined
  readonly 500?: number | undefined
  /** The answer is cut short. */
  readonly cut?: number | undefined
  /** The answer never ends. */
  readonly stall?: number | undefined
  /** Milliseconds that every request waits. */
  readonly slow?: number | undefined
}

/** An API key of a sandbox. */
export interface SandboxKey {
  readonly name: 'full' | 'read-only' | 'inactive' | 'expired' | 'restricted' | 'editor' | 'viewer'
  /** The key itself, made at random for this data folder. */
  readonly key: string
  readonly scopes: readonly string[]
  readonly status: string
}

/** A sandbox that runs in this process. */
export interface Sandbox extends AsyncDisposable {
  /** Its address, without `/v1`. */
  readonly baseUrl: string
  readonly dataDir: string
  /** The key that may do everything: that with the name `full`. */
  readonly key: string
  readonly keys: readonly SandboxKey[]
  /** Stops it, and deletes its data unless `dataDir` was given. */
  close(): Promise<void>
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the service that is embedded in pubctl, for tests: the same that `pubctl sandbox start` runs. Several may run at a
 * time, each with its own data. Rejects with a `Failure`.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, processingDelay, sessionLife, faults } = options
  mustBeWithin('port', port, 65_535)
  mustBeWithin('processingDelay', processingDelay, week)
  mustBeWithin('sessionLife', sessionLife, week)
  await loadZod()
  const { parseVariants, startService: start } = await import('../sandbox/index.ts')
  const variants = parseVariants(options.variants ?? [], 'variants')
  const dataDir = options.dataDir ?? makeTemporaryFolder('sandbox')
  const clear = async () => {
    if (options.dataDir !== undefined) return
    if (process.platform === 'win32') await freeDatabases()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
  let sandbox: RunningService
  try {
    sandbox = await start({
      ...{ dataDir, port, variants, faults: await parsed(faults) },
      ...(processingDelay !== undefined && { processingDelayMs: processingDelay }),
      ...(sessionLife !== undefined && { sessionSeconds: Math.ceil(sessionLife / 1000) }),
    })
  } catch (error) {
    await clear()
    const { syscall, code } = error as NodeJS.ErrnoException
    if (error instanceof Failure) throw forProgram(error, text => text)
    if (syscall !== 'listen') throw error
    throw new UsageFailure(`pubctl cannot listen on port ${port} (${code})`, { hint: 'Choose another port.' })
  }
  const { baseUrl, keys } = sandbox
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= sandbox.close().then(clear)
    return closing
  }
  return {
    ...{ baseUrl, dataDir: sandbox.dataDir, keys },
    key: keys.find(({ name }) => name === 'full')?.key ?? '',
    close,
    [Symbol.asyncDispose]: close,
  }
}

const week = 7 * 24 * 3_600_000

async function parsed(faults: SandboxFaults = {}) {
  const { parseFaults } = await import('../sandbox/index.ts')
  const given = Object.entries(faults).filter(([, value]) => value !== undefined)
  return parseFaults(
    given.map(([kind, value]) => `${kind}=${value}`),
    'faults',
    text => {
      mustBeWithin('faults.slow', Number(text), week)
      return Number(text)
    },
  )
}

/** Throws UsageFailure unless it is a number from 0 to a limit, or is not given. */
function mustBeWithin(name: string, value: number | undefined, most: number): void {
  if (value === undefined || (typeof value === 'number' && value >= 0 && value <= most)) return
  throw new UsageFailure(`${name} must be a number from 0 to ${most}`)
}
