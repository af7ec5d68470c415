import { join, resolve } from 'node:path'
import { loadZod } from '../service/contract/zod.ts'
import type { Database } from '../system/database.ts'
import { type Clock, systemClock } from '../system/world.ts'
import type { SandboxState } from './call.ts'
import { type Faults, noFaults } from './http/faults.ts'
import { type Listener, listen } from './http/server.ts'
import { answerRequest } from './http/service.ts'
import { startProcessing } from './processing/loop.ts'
import { objectCreated } from './processing/object-created.ts'
import { createPresignedTarget } from './s3/presigned.ts'
import { seed } from './seed/index.ts'
import { keysOf, type SeedKey } from './seed/keys.ts'
import { openStore } from './store/database.ts'
import { createObjects } from './store/objects.ts'
import { createTokens } from './store/tokens.ts'
import type { Variant } from './variants.ts'

export { parseFaults } from './http/faults.ts'
export { resetSandbox } from './reset.ts'
export { sandboxStatus } from './status.ts'
export { parseVariants } from './variants.ts'

export interface ServiceOptions {
  /** Made when missing, and readable by its owner alone. */
  dataDir: string
  /** Undefined or 0: the previous port if it is free, else any. */
  port?: number
  /** Milliseconds that `upload_pending` and `uploaded` last at least, each. */
  processingDelayMs?: number
  /** How long an upload session can be used. */
  sessionSeconds?: number
  /** What it does in another way than usual. */
  variants?: readonly Variant[]
  clock?: Clock
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

/**
 * Starts the embedded service on 127.0.0.1. Several may run on one data directory, in one process or in many. Rejects
 * with UsageFailure `sandbox_data` if the directory holds something else, and with the system's error if the requested port
 * is not available.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { port = 0, processingDelayMs = 150, sessionSeconds = 900, clock = systemClock } = options
  const { faults = noFaults, random = Math.random, variants = [] } = options
  const dataDir = resolve(options.dataDir)
  await loadZod()
  const db = openStore(dataDir, seed)
  try {
    const secret = Buffer.from(setting(db, 'secret') ?? '', 'hex')
    const target = createPresignedTarget({
      secret,
      origin: () => listener.origin,
      clock,
      tempDir: join(dataDir, 'incoming'),
      store: object => objectCreated(sandbox, object),
    })
    const objects = createObjects(dataDir, target, sessionSeconds)
    const listener = await listenOn(db, port, wanted =>
      listen(wanted, request => answerRequest(sandbox, request), target, { faults, clock, random }),
    )
    const processing = startProcessing({ db, clock, objects, delay: processingDelayMs })
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
      baseUrl: listener.origin,
      dataDir,
      keys: keysOf(db),
      async close() {
        await listener.close()
        await processing.close()
        db.close()
      },
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/** Listens on the requested port; without one, on the previous port, or else on any free one. */
async function listenOn(
  db: Database,
  port: number,
  listenTo: (port: number) => Promise<Listener>,
): Promise<Listener> {
  if (port !== 0) return await listenTo(port)
  const listener = await listenTo(Number(setting(db, 'port') ?? 0)).catch(() => listenTo(0))
  db.run(
    `INSERT INTO settings VALUES ('port', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
    String(listener.port),
  )
  return listener
}

const setting = (db: Database, name: string): string | undefined =>
  db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value
