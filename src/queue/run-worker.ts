import { Console } from 'node:console'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { destinationOf, mustBeForThisService } from '../catalogue/for-this-service.ts'
import type { Context } from '../cli/context.ts'
import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import { stat } from '../system/files.ts'
import { userAgent } from '../system/version.ts'
import type { AskedChecks } from '../uploads/asked-checks.ts'
import { planReceiptView } from '../uploads/batch/receipt-view.ts'
import { withoutSecrets } from '../uploads/batch/show-receipts.ts'
import { openTransfer } from '../uploads/open.ts'
import { openedChecks } from '../uploads/opened-checks.ts'
import { defaultProcessingTimeout } from '../uploads/outcome.ts'
import type { Receipt } from '../uploads/receipt.ts'
import { warnOfOutdated } from '../uploads/tell-checkers.ts'
import { openCarrying } from './carry-out.ts'
import { openCircuitBreaker } from './circuit-breaker.ts'
import { type Heartbeat, joinWorkers } from './heartbeat.ts'
import { taskOf } from './load.ts'
import { withQueue } from './open-queue.ts'
import type { Postgres } from './postgres/postgres.ts'
import { openGate } from './rate.ts'
import { openSharedJournal } from './shared-journal.ts'
import { openStream } from './stream.ts'
import { work } from './work.ts'

interface WorkerOptions {
  readonly database?: string | undefined
  readonly root?: string | undefined
  readonly once?: true | undefined
  readonly concurrency: number
  readonly wait: boolean
  /** What books are checked by that nobody but pubctl has checked yet. */
  readonly asked?: AskedChecks | undefined
}

/** How many steps are in progress for each file that is sent: the others wait for processing, which costs little. */
const stepsForEachFile = 16

/** One that listens for jobs, and some for statements; the lock of the worker has another. */
const connections = 4

/** How often a worker says how far it is, in milliseconds. */
const toldEvery = 60_000

/** Carries out steps of the queue until it is interrupted or, with `once`, nothing is left to do. */
export async function runWorker(context: Context, options: WorkerOptions): Promise<void> {
  const root = options.root === undefined ? undefined : resolve(options.root)
  if (root !== undefined && !(await isFolder(root))) {
    throw new UsageFailure(`--root ${options.root} is not a folder`, {
      hint: "Name the folder that has the plan's files on this machine.",
    })
  }
  const tally = openTally()
  const print = async (line: string) => {
    if (context.options.verbose) await context.note(line)
  }
  const restore = captureConsole(line => void print(line))
  let left = 0
  try {
    left = await withQueue(
      context,
      options.database,
      postgres => runConnected(context, { ...options, root }, postgres, tally),
      connections,
    )
  } finally {
    restore()
  }
  context.world.signal.throwIfAborted()
  const undone = [
    ...(tally.failed() > 0 ? [`${tally.failed()} of ${tally.all()} steps failed`] : []),
    ...(left > 0 ? [`${left} of the queue's steps ${left === 1 ? 'waits' : 'wait'} to be tried again`] : []),
  ]
  if (undone.length > 0) {
    throw new Failure(undone.join(', and '), {
      code: 'part_failed',
      exitCode: exitCodes.partFailed,
      hint: 'Why: pubctl queue status. When you have mended what went wrong: pubctl queue retry',
    })
  }
}

/** Carries out steps; with `once`, gives how many are left that wait to be tried again. */
async function runConnected(
  context: Context,
  options: WorkerOptions & { readonly root: string | undefined },
  postgres: Postgres,
  tally: Tally,
): Promise<number> {
  const { world, err } = context
  const { clock } = world
  const destination = await destinationOf(context)
  await mustHavePlans(context, postgres, destination)
  const stopping = new AbortController()
  const signal = AbortSignal.any([world.signal, stopping.signal])
  const task = taskOf(destination)
  const receipts = openStream<Receipt>()
  const printing = context.list(planReceiptView, receipts.pages())
  const stopTelling = clock.every(toldEvery, () => void context.note(tally.line()))
  await context.note(`Carrying out steps for ${destination.baseUrl}; Ctrl-C ends it.`)
  try {
    // A worker that others have taken for dead goes on as a new one.
    while (!signal.aborted) {
      const heartbeat = await joinWorkers(postgres, {
        ...{ concurrency: options.concurrency, clock },
        onFreed: (host, steps) =>
          void context.note(`A worker on ${host} is gone; ${steps} of its steps are carried out by others.`),
      })
      const ended = AbortSignal.any([signal, heartbeat.lost])
      const opened = await openTransferOf(context, options, {
        postgres,
        heartbeat,
        signal: ended,
        destination,
      })
      const carryOut = openCarrying({
        ...{ postgres, transfer: opened.transfer, task, root: options.root, asked: options.asked },
        gate: openGate(postgres.query, clock, ended),
        breaker: openCircuitBreaker(clock, ended, isAway =>
          context.note(
            isAway
              ? 'The service cannot be reached; waiting until it can.'
              : 'The service can be reached again.',
          ),
        ),
        hide: err.hide,
        onResult({ receipt }, settlement) {
          tally.add(settlement.is)
          receipts.push(withoutSecrets(context, receipt))
          void warnOfOutdated(context, [receipt])
        },
        onFatal: failure => stopping.abort(failure),
      })
      try {
        const steps = options.concurrency * stepsForEachFile
        const { once = false } = options
        const onForeignJob = () =>
          void context.note(
            'A job of the queue names no step, so nothing was done about it. See who else writes there.',
          )
        await work({ ...{ postgres, heartbeat, task, steps, once, carryOut, onForeignJob, clock }, signal })
      } finally {
        await opened.close()
        await heartbeat.leave()
      }
      if (options.once) break
    }
  } finally {
    stopTelling()
    receipts.end()
    await printing
    await context.note(tally.line())
  }
  if (stopping.signal.aborted) throw stopping.signal.reason
  return options.once && !signal.aborted ? await stepsToTryAgain(postgres, destination) : 0
}

/** How many steps for a service and organisation have failed and are to be tried again later than a worker with `once` waits. */
async function stepsToTryAgain(
  { query }: Postgres,
  { baseUrl, scopeId }: { readonly baseUrl: string; readonly scopeId: string | null },
): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*) AS count FROM pubctl.steps JOIN pubctl.plans USING ("planId")
     WHERE "errorCode" IS NOT NULL AND state = 'waiting'
       AND "baseUrl" = $1 AND "scopeId" IS NOT DISTINCT FROM $2`,
    [baseUrl, scopeId],
  )
  return row?.count ?? 0
}

const openTransferOf = async (
  context: Context,
  { concurrency, wait }: WorkerOptions,
  {
    postgres,
    heartbeat,
    signal,
    destination,
  }: {
    postgres: Postgres
    heartbeat: Heartbeat
    signal: AbortSignal
    destination: Awaited<ReturnType<typeof destinationOf>>
  },
) => {
  const { world, options, waiting, err } = context
  const { clock, mayRead } = world
  const { openSentStore } = await import('../uploads/sent/sent-store.ts')
  const caller = { target: destination.baseUrl, scopeId: destination.scopeId, keyDigest: null }
  return await openTransfer({
    ...{ concurrency, files: Number.POSITIVE_INFINITY, waiting, userAgent, clock, signal, mayRead },
    openChecks: asked => openedChecks(context, asked),
    journal: openSharedJournal({ query: postgres.query, owner: heartbeat.id, clock, hide: err.hide }),
    baseUrl: (await context.target()).baseUrl,
    caller,
    sent: openSentStore(context, caller),
    call: context.call,
    http: await context.http(),
    timeout: options.timeout,
    processingTimeout: wait ? (options.timeout ?? defaultProcessingTimeout) : 0,
    onStep: () => undefined,
    onWarning: warning => void context.warn(warning),
  })
}

/** Refuses to work where all that is left to do is for another service or another organisation. */
async function mustHavePlans(
  context: Context,
  { query }: Postgres,
  { baseUrl, scopeId }: { readonly baseUrl: string; readonly scopeId: string | null },
): Promise<void> {
  const plans = await query<{ planId: string; baseUrl: string; scopeId: string | null }>(
    `SELECT "planId", "baseUrl", "scopeId" FROM pubctl.plans
     WHERE EXISTS (SELECT FROM pubctl.steps WHERE steps."planId" = plans."planId" AND state = 'waiting')`,
  )
  const [first] = plans
  if (first === undefined || plans.some(each => each.baseUrl === baseUrl && each.scopeId === scopeId)) return
  await mustBeForThisService(context, `the plan ${first.planId} of the queue`, first)
}

interface Tally {
  add(settled: 'done' | 'later' | 'failed'): void
  all(): number
  failed(): number
  line(): string
}

/** Counts how steps ended here. */
function openTally(): Tally {
  const counts = { done: 0, later: 0, failed: 0 }
  return {
    add(settled) {
      counts[settled]++
    },
    all: () => counts.done + counts.failed,
    failed: () => counts.failed,
    line: () =>
      [
        `${counts.done} steps carried out`,
        ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
        ...(counts.later > 0 ? [`${counts.later} put off`] : []),
      ]
        .join(', ')
        .concat('.'),
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false

/**
 * Gives what libraries print by themselves to a function, a line at a time, so that nothing reaches the terminal unchecked.
 * Returns what undoes it.
 */
export function captureConsole(onLine: (line: string) => void): () => void {
  const before = globalThis.console
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      for (const line of chunk.toString().split('\n')) if (line.trim() !== '') onLine(line)
      done()
    },
  })
  globalThis.console = new Console(stream)
  return () => {
    globalThis.console = before
  }
}
