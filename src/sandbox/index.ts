import { promises as fs } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadZod } from '../service/contract/load-zod.ts'
import type { Database } from '../system/database.ts'
import { UsageFailure } from '../system/errors.ts'
import { removeDatabase } from '../system/remove-database.ts'
import { type Clock, systemClock } from '../system/world.ts'
import type { SandboxState } from './call.ts'
import { type Faults, noFaults } from './http/faults.ts'
import { type Listener, listen } from './http/server.ts'
import { answerRequest, type ServiceAnswer, type ServiceRequest } from './http/service.ts'
import { startProcessing } from './processing/loop.ts'
import { objectCreated } from './processing/object-created.ts'
import { createPresignedTarget, type PresignedTarget } from './s3/presigned.ts'
import { reseed, seed } from './seed/index.ts'
import { keysOf, type SeedKey } from './seed/keys.ts'
import type { Store } from './store/cache.ts'
import { databasePath, hasDatabase, openStore } from './store/database.ts'
import { createObjects, objectsFolder } from './store/objects.ts'
import { createTokens } from './store/tokens.ts'
import type { SandboxVariant } from './variants.ts'

export { parseFaults } from './http/faults.ts'
export { parseVariants } from './variants.ts'

interface OpenOptions {
  /** Made when missing, and readable by its owner alone. */
  dataDir: string
  /** Milliseconds that `upload_pending` and `uploaded` last at least, each. */
  processingDelayMs?: number
  /** Milliseconds until it looks again for files that another process of the same store has left. */
  lookAgainMs?: number
  /** How long an upload session can be used. */
  sessionSeconds?: number
  /** What it does in another way than usual. */
  variants?: readonly SandboxVariant[]
  clock?: Clock
}

export interface ServiceOptions extends OpenOptions {
  /** Undefined or 0: the previous port if it is free, else any. */
  port?: number
  /** The faults to inject, and the random numbers from 0 to below 1 that decide when. */
  faults?: Faults
  random?: () => number
}

export interface RunningService {
  baseUrl: string
  dataDir: string
  keys: SeedKey[]
  close(): Promise<void>
}

/** The service itself, which answers requests however they come to it. */
export interface OpenService {
  readonly db: Store
  /** Answers a request of the JSON API. */
  answer(request: ServiceRequest): ServiceAnswer
  /** Takes what is sent to an upload session. */
  readonly target: PresignedTarget
  readonly keys: SeedKey[]
  close(): Promise<void>
}

/**
 * Opens the embedded service without listening. `origin` is where its upload sessions lead. Throws UsageFailure `sandbox_data`
 * if the directory holds something else.
 */
export async function openService(options: OpenOptions, origin: () => string): Promise<OpenService> {
  const { processingDelayMs = 150, lookAgainMs = 1000, sessionSeconds = 900 } = options
  const { clock = systemClock, variants = [] } = options
  const dataDir = resolve(options.dataDir)
  await loadZod()
  const db = openStore(dataDir, seed)
  try {
    const secret = Buffer.from(setting(db, 'secret') ?? '', 'hex')
    const target = createPresignedTarget({
      secret,
      origin,
      clock,
      tempDir: join(dataDir, 'incoming'),
      store: object => objectCreated(sandbox, object),
    })
    const objects = createObjects(dataDir, target, sessionSeconds)
    const processing = startProcessing({ db, clock, objects, delay: processingDelayMs, lookAgainMs })
    const sandbox: SandboxState = {
      db,
      clock,
      tokens: createTokens(secret),
      objects,
      processingDelay: processingDelayMs,
      variants,
      wake: processing.wake,
    }
    return {
      db,
      answer: request => answerRequest(sandbox, request),
      target,
      keys: keysOf(db),
      async close() {
        await processing.close()
        db.close()
      },
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Starts the embedded service on 127.0.0.1. Several may run on one data directory, in one process or in many. Rejects
 * with UsageFailure `sandbox_data` if the directory holds something else, and with the system's error if the requested port
 * is not available.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { port = 0, clock = systemClock, faults = noFaults, random = Math.random } = options
  const service = await openService(options, () => listener.origin)
  const { db, answer, target, keys } = service
  let listener: Listener
  try {
    listener = await listenOn(db, port, wanted => listen(wanted, answer, target, { faults, clock, random }))
  } catch (error) {
    await service.close()
    throw error
  }
  return {
    baseUrl: listener.origin,
    dataDir: resolve(options.dataDir),
    keys,
    async close() {
      await listener.close()
      await service.close()
    },
  }
}

/** Listens on the requested port; without one, on the previous port, or else on any free one. */
async function listenOn(
  db: Database,
  port: number,
  listenTo: (port: number) => Promise<Listener>,
): Promise<Listener> {
  if (port !== 0) return await listenTo(port)
  const previous = Number(setting(db, 'port') ?? 0)
  const listener = await listenTo(previous).catch(() => listenTo(0))
  if (listener.port !== previous) {
    db.run(
      `INSERT INTO settings VALUES ('port', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
      String(listener.port),
    )
  }
  return listener
}

const setting = (db: Database, name: string): string | undefined =>
  db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value

export interface SandboxStatus {
  dataDir: string
  exists: boolean
  publications: number
  editions: number
  /** Of all files that were sent. */
  bytes: number
  keys: SeedKey[]
}

/** Where a sandbox is and what is in it. Does not make one when there is none. */
export function sandboxStatus(dataDir: string): SandboxStatus {
  const folder = resolve(dataDir)
  if (!hasDatabase(folder)) {
    return { dataDir: folder, exists: false, publications: 0, editions: 0, bytes: 0, keys: [] }
  }
  const db = openStore(folder, seed)
  try {
    const number = (sql: string): number => db.get<{ n: number | null }>(sql)?.n ?? 0
    return {
      dataDir: folder,
      exists: true,
      publications: number(`SELECT n FROM counts WHERE name = 'publications'`),
      editions: number(`SELECT n FROM counts WHERE name = 'editions'`),
      bytes: number('SELECT sum(bytes) AS n FROM objects'),
      keys: keysOf(db),
    }
  } finally {
    db.close()
  }
}

/**
 * Resets a sandbox to its initial content. Creates it if it is missing, and replaces it if its store cannot be used.
 * Processes that use it continue with the reset one.
 */
export async function resetSandbox(dataDir: string): Promise<void> {
  const folder = resolve(dataDir)
  // Listed first: files that arrive from now on belong to the reset sandbox.
  const files = await fs.readdir(objectsFolder(folder)).catch(() => [])
  const db = await openOrReplace(folder)
  try {
    reseed(db)
  } finally {
    db.close()
  }
  for (const file of files) await fs.rm(join(objectsFolder(folder), file), { force: true })
}

async function openOrReplace(folder: string): Promise<Database> {
  try {
    return openStore(folder, seed)
  } catch (error) {
    if (!(error instanceof UsageFailure) || error.code === 'unsafe_permissions') throw error
    try {
      await removeDatabase(databasePath(folder), error)
    } catch {
      // If it cannot be written, it cannot be replaced either.
      throw error
    }
    return openStore(folder, seed)
  }
}
