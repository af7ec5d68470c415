import { resolve } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { requestView } from '../../cli/output/dry-run-views.ts'
import type { View } from '../../cli/output/view.ts'
import { shardOf } from '../../plan/divide.ts'
import { shardText } from '../../plan/shard.ts'
import { exitCodes, Failure, type FailureDetail, UsageFailure } from '../../system/errors.ts'
import { stat } from '../../system/files.ts'
import { version } from '../../system/version.ts'
import { emptyReceipt, isFailed, type Receipt, receiptName, tallyOf } from '../receipt.ts'
import { checkReport, writeReport } from '../report/index.ts'
import { readShardReport, type ShardReport } from '../report/read-report.ts'
import type { ShardHead, ShardReceipt } from '../report/shard-head.ts'
import { guardOf } from './guard.ts'
import { planReceiptView } from './receipt-view.ts'

/** The columns of what is not done. */
const leftView: View = {
  ...planReceiptView,
  columns: [{ field: 'shard', isCutLast: true }, ...planReceiptView.columns],
  fields: () => new Set(['row', 'shard', ...planReceiptView.fields()]),
  empty: 'Everything is done.',
}

/**
 * Joins the reports of shards in a file, and shows the receipts of what is not done. Throws a failure with exit code 10 if
 * something failed, or if a shard is missing.
 */
export async function mergeReceipts(context: Context, paths: readonly string[], out: string): Promise<void> {
  await context.check(leftView)
  checkReport(out)
  const unique = [...new Map(paths.map(path => [resolve(path), path])).values()]
  if (unique.some(path => resolve(path) === resolve(out))) {
    throw new UsageFailure(`${out} is one of the files that are merged`, {
      hint: 'Name another file with --out.',
    })
  }
  const reports = []
  for (const path of unique) reports.push(await readShardReport(path, context.world.mayRead))
  const merged = mergeReports(reports as [(typeof reports)[0], ...typeof reports])
  const { receipts, head } = merged
  if (context.options.dryRun) await context.list(requestView, [[{ method: 'WRITE', url: `file:${out}` }]])
  else {
    await mayOverwrite(context, out)
    await writeReport(out, receipts, guardOf(context), {
      ...{ now: context.world.clock.now(), version, command: context.command },
      ...{ target: head.baseUrl, scopeId: head.scopeId, head },
    })
    await context.list(leftView, [receipts.filter(isFailed)])
  }
  const failures = receipts.filter(
    each => isFailed(each) && !isWithout(each) && !isLeftToPeople(merged, each),
  )
  await context.note(tallyOfMerged(merged))
  if (!context.options.dryRun) await context.note(`The receipts are in ${out}.`)
  endWith(merged, failures)
}

async function mayOverwrite({ ask, options }: Context, out: string): Promise<void> {
  const exists = await stat(out).then(
    () => true,
    () => false,
  )
  if (!exists || options.yes || (await ask.confirm(`${out} exists. Overwrite it?`, '--yes'))) return
  throw new UsageFailure(`${out} was not overwritten`, { code: 'not_confirmed' })
}

const isWithout = ({ error }: ShardReceipt): boolean => error?.code === 'no_receipt'

/** Whether it is a step that `catalogue apply` leaves to people, without failing. */
const isLeftToPeople = ({ head }: Merged, { outcome }: ShardReceipt): boolean =>
  head.planId !== null && outcome === 'conflict'

function tallyOfMerged({ receipts, head }: Merged): string {
  const without = receipts.filter(isWithout).length
  const counted = tallyOf(receipts.filter(each => !isWithout(each)))
  return `${receipts.length} in ${head.total} shards: ${counted}${without > 0 ? `, ${without} without a receipt` : ''}.`
}

/** Throws if a shard is missing, or if something failed. */
function endWith(merged: Merged, failed: readonly ShardReceipt[]): void {
  const { receipts } = merged
  const count = receipts.length
  const without = receipts.filter(isWithout).length
  const failures = failed.map(receipt => ({
    message: receipt.error?.message ?? receipt.outcome,
    path: [receiptName(receipt)],
    code: receipt.error?.code ?? receipt.outcome,
  }))
  if (without > 0) {
    const also = failures.length > 0 ? `, and ${failures.length} failed` : ''
    throw new Failure(`no shard has done ${without} of ${count}${also}`, {
      code: 'shards_missing',
      exitCode: exitCodes.partFailed,
      details: [...absentIn(merged), ...failures],
    })
  }
  if (failures.length === 0) return
  throw new Failure(`${failures.length} of ${count} failed`, {
    code: 'part_failed',
    exitCode: exitCodes.partFailed,
    details: failures,
  })
}

/** The shards whose receipts are missing. One that has no books misses nothing. */
function absentIn({ receipts, head: { total, shards } }: Merged): FailureDetail[] {
  const counts = new Map<string, number>()
  for (const { shard } of receipts) counts.set(shard, (counts.get(shard) ?? 0) + 1)
  return Array.from({ length: total }, (_, index) => index + 1)
    .filter(index => !shards.includes(index))
    .flatMap(index => {
      const shard = shardText({ index, total })
      const count = counts.get(shard) ?? 0
      const message = `shard ${shard} has left no receipts of its ${count}`
      const hint = `Run it again: the same command with --shard ${shard}.`
      return count === 0 ? [] : [{ message, path: [`shard ${shard}`], code: 'no_receipt', hint }]
    })
}

/** The receipts of all shards. */
interface Merged {
  readonly head: ShardHead
  /** One for each book, in the order of the sources; what no shard has done has the error `no_receipt`. */
  readonly receipts: readonly ShardReceipt[]
}

/**
 * Joins the reports of shards. Where several have a receipt of the same book, the one of the latest report counts, because it
 * knows most; but one that was not begun says nothing, and a skip only confirms what was uploaded before. Throws
 * UsageFailure `mixed_receipts` if they are not of one batch.
 */
function mergeReports(reports: readonly [ShardReport, ...ShardReport[]]): Merged {
  const [first] = reports
  for (const other of reports.slice(1)) checkSame(first, other)
  const { keys, total } = first.head
  const best: (ShardReceipt | undefined)[] = keys.map(() => undefined)
  const inTime = [...reports].sort((a, b) => Date.parse(a.head.ended) - Date.parse(b.head.ended))
  for (const { receipts } of inTime) {
    for (const receipt of receipts) {
      const earlier = best[receipt.row - 1]
      if (earlier === undefined || counts(receipt, earlier)) best[receipt.row - 1] = receipt
    }
  }
  const latest = inTime.at(-1) as ShardReport
  return {
    head: {
      ...latest.head,
      scopeId: reports.find(({ head }) => head.scopeId !== null)?.head.scopeId ?? null,
      shards: [...new Set(reports.flatMap(({ head }) => head.shards))].sort((a, b) => a - b),
    },
    receipts: best.map((receipt, index) => receipt ?? noReceipt(keys[index] as string, index + 1, total)),
  }
}

const says = ({ error }: Receipt): boolean => error?.code !== 'not_begun' && error?.code !== 'no_receipt'

/** Whether a receipt replaces an earlier one of the same book. */
function counts(later: Receipt, earlier: Receipt): boolean {
  if (!says(earlier)) return true
  if (!says(later)) return false
  return later.outcome !== 'skipped' || isFailed(later) || isFailed(earlier) || earlier.outcome === 'skipped'
}

function noReceipt(key: string, row: number, total: number): ShardReceipt {
  const shard = shardText({ index: shardOf(key, total), total })
  const error = { code: 'no_receipt', message: `shard ${shard} has left no receipt of it` }
  return { row, shard, key, ...emptyReceipt(null), error }
}

function checkSame(one: ShardReport, other: ShardReport): void {
  const difference = differenceOf(one.head, other.head)
  if (difference === undefined) return
  throw new UsageFailure(`${one.path} and ${other.path} do not belong together: ${difference}`, {
    code: 'mixed_receipts',
    hint: 'Name the reports of the shards of one batch. Nothing was written.',
  })
}

function differenceOf(one: ShardHead, other: ShardHead): string | undefined {
  const told = (what: string, a: unknown, b: unknown) =>
    a === b ? undefined : `${what} ${a ?? 'none'} and ${b ?? 'none'}`
  const isOtherScope = one.scopeId !== null && other.scopeId !== null && one.scopeId !== other.scopeId
  return (
    told('they are of the plans', one.planId, other.planId) ??
    told('they are of the services', one.baseUrl, other.baseUrl) ??
    (isOtherScope ? `they are of the scopes ${one.scopeId} and ${other.scopeId}` : undefined) ??
    told('the numbers of shards are', one.total, other.total) ??
    told('the numbers of books are', one.keys.length, other.keys.length) ??
    told('they name different books, such as', ...differentKeys(one.keys, other.keys))
  )
}

function differentKeys(one: readonly string[], other: readonly string[]): [unknown, unknown] {
  const at = one.findIndex((key, index) => key !== other[index])
  return [one[at], other[at]]
}
