import { planTasks } from '../catalogue/apply/plan-tasks.ts'
import { undecided } from '../catalogue/apply/undecided.ts'
import { readCatalogue } from '../catalogue/plan/plan-catalogue.ts'
import { planRead } from '../catalogue/plan-sources.ts'
import { readProducts, type SourceOptions } from '../catalogue/sources/products.ts'
import type { Context } from '../cli/context.ts'
import { silentProgress } from '../cli/output/progress.ts'
import { settledActions, undecidedActions } from '../plan/actions.ts'
import type { PlanHeader, PlanStep } from '../plan/plan-step.ts'
import type { BrokenProduct, Product } from '../plan/product.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import { openUploads } from '../uploads/batch/open-uploads.ts'
import { runBatch } from '../uploads/batch.ts'
import { receiptOf } from '../uploads/execute.ts'
import { openedChecks } from '../uploads/opened-checks.ts'
import { emptyReceipt, errorOf, type Result } from '../uploads/receipt.ts'
import type { RowToDo } from './arrange.ts'
import { rowId } from './folder/sheet-rows.ts'
import type { WatchOptions } from './options.ts'
import type { UploadHooks } from './upload-books.ts'

interface RowHooks extends Pick<UploadHooks, 'onStep' | 'onWarning'> {
  /** Called for each row as it ends. */
  readonly onRow: (row: RowToDo, result: Result) => Promise<void>
  /** Called for a row of an unknown book without a file. */
  readonly onNoFile: (row: RowToDo) => void
}

/** Plans rows of sheets as `catalogue plan` does, and carries them out as `catalogue apply` does. */
export async function applyRows(
  context: Context,
  todo: readonly RowToDo[],
  options: WatchOptions,
  hooks: RowHooks,
): Promise<Failure | undefined> {
  const rows = new Map(todo.map(each => [each.row.id, each]))
  for (const each of todo) {
    if (each.row.refused === null) continue
    rows.delete(each.row.id)
    await hooks.onRow(each, refusedResult(each, each.row.refused))
  }
  if (rows.size === 0) return undefined
  const { steps, header } = await planRows(context, rows, options)
  const open: PlanStep[] = []
  for (const step of steps) {
    const row = step.from && rows.get(rowId(step.from))
    if (!row) continue
    if (step.action === 'no-file') hooks.onNoFile(row)
    else if (settledActions.includes(step.action) && step.uploadStatus === undefined)
      await hooks.onRow(row, settledResult(step))
    else if (isOtherContent(step) && options.ifChanged !== 'edition')
      await hooks.onRow(row, changedResult(step))
    else if (undecidedActions.includes(step.action)) await hooks.onRow(row, leftResult(step))
    else open.push(step)
  }
  if (open.length === 0) return undefined
  return await carryOut(
    context,
    open,
    header,
    options,
    async (step, result) => {
      const row = step.from && rows.get(rowId(step.from))
      if (row) await hooks.onRow(row, result)
    },
    hooks,
  )
}

/** The steps of rows. Other rows of the same sheets are left out. */
export async function planRows(
  context: Context,
  rows: ReadonlyMap<string, RowToDo>,
  {
    rows: { encoding, keyField, reissue, isNew },
    ...asked
  }: Pick<WatchOptions, 'rows' | 'rules' | 'epubcheck'>,
): Promise<{ steps: PlanStep[]; header: PlanHeader }> {
  // A watcher says only what happens to files.
  const silent: Context = { ...context, progress: async () => silentProgress }
  const sources: { path: string; sha256: string }[] = []
  const { signal, mayRead } = context.world
  const checks = await openedChecks(context, asked)
  const catalogue = await readCatalogue(
    productsOf(rows, { encoding, signal, mayRead }, source => void sources.push(source)),
    {
      ...{ keyField, isFeed: false },
      signal,
      onProgress: () => undefined,
    },
  )
  try {
    const read = { keyField, reissue, isNew, overwritesDrifted: false, maxAge: 0, sources, ...checks }
    let planned: { steps: PlanStep[]; header: PlanHeader } | undefined
    // The files of a row were found before.
    const books = {
      find: ({ from }: Pick<Product, 'from'>) => rows.get(rowId(from))?.files.map(({ path }) => path) ?? [],
    }
    await planRead(silent, catalogue, { ...read, books }, async ({ rows, header }) => {
      planned = { steps: [...rows.steps(['orphan'])], header }
    })
    return planned as { steps: PlanStep[]; header: PlanHeader }
  } finally {
    catalogue.rows.close()
  }
}

async function* productsOf(
  rows: ReadonlyMap<string, RowToDo>,
  { encoding, signal, mayRead }: Pick<SourceOptions, 'encoding' | 'signal' | 'mayRead'>,
  onRead: (source: { path: string; sha256: string }) => void,
): AsyncGenerator<Product | BrokenProduct> {
  const sheets = new Map([...rows.values()].map(({ sheet }) => [sheet.path, sheet]))
  for (const { path, sha256 } of sheets.values()) {
    const check = (source: { path: string; sha256: string }) => {
      if (source.sha256 !== sha256) throw changed(path)
      onRead(source)
    }
    const options = { onRead: check, encoding, signal, mayRead, mayLackFiles: true }
    for await (const product of readProducts([path], options))
      if (rows.has(rowId(product.from))) yield product
  }
}

async function carryOut(
  context: Context,
  steps: readonly PlanStep[],
  header: PlanHeader,
  { wait, concurrency }: WatchOptions,
  onResult: (step: PlanStep, result: Result) => Promise<void>,
  { onStep, onWarning }: RowHooks,
): Promise<Failure | undefined> {
  const opened = await openUploads(context, { wait, concurrency, files: steps.length }, { onStep, onWarning })
  try {
    const places = steps.map(step => ({ ...step, read: async () => step }))
    const tasks = planTasks(places, header, opened.transfer).map((task, index) => ({
      ...task,
      async run() {
        const step = steps[index] as PlanStep
        const result = await task.run().catch(error => {
          if (!(error instanceof Failure) || error.code === 'not_begun') throw error
          return { receipt: { ...receiptFor(step), error: errorOf(error) }, failure: error }
        })
        await onResult(step, result)
        return result
      },
    }))
    const { fatal } = await runBatch(tasks, {
      underWay: opened.underWay,
      stopOnError: false,
      halt: opened.halt,
      signal: context.world.signal,
      onResult: async () => undefined,
    })
    return fatal
  } finally {
    await opened.close()
  }
}

/** Whether a step makes a new edition because the content differs, and not only fields with `--reissue`. */
const isOtherContent = ({ action, fields }: PlanStep): boolean => action === 'edition' && fields === null

const receiptFor = (step: PlanStep) => ({ ...receiptOf({ step }), key: step.key })

const settledResult = (step: PlanStep): Result => ({
  receipt: { ...receiptFor(step), outcome: 'skipped' },
  failure: undefined,
})

const leftResult = (step: PlanStep): Result => conflictResult(step, undecided(step))

const changedResult = (step: PlanStep): Result =>
  conflictResult(
    step,
    new Failure(`${step.why}. To make it a new edition: --if-changed edition`, {
      code: 'conflict',
      exitCode: exitCodes.partFailed,
    }),
  )

function conflictResult(step: PlanStep, failure: Failure): Result {
  const error = errorOf(failure)
  return { receipt: { ...receiptFor(step), outcome: 'conflict', error }, failure }
}

function refusedResult({ row }: RowToDo, why: string): Result {
  const failure = new Failure(why, { code: 'broken', exitCode: exitCodes.partFailed })
  const error = errorOf(failure)
  return { receipt: { ...emptyReceipt(row.file), error }, failure }
}

const changed = (path: string): Failure =>
  new Failure(`${path} changed while it was read`, { code: 'file_changed', exitCode: exitCodes.usage })
