import { resolve } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { requestView } from '../../cli/output/dry-run-views.ts'
import type { View } from '../../cli/output/view.ts'
import { shardText } from '../../plan/shard.ts'
import { exitCodes, Failure, type FailureDetail, UsageFailure } from '../../system/errors.ts'
import { stat } from '../../system/files.ts'
import { version } from '../../system/version.ts'
import { isFailed, receiptName, tallyOf } from '../receipt.ts'
import { checkReport, writeReport } from '../report/index.ts'
import { type Merged, mergeReports } from '../report/merge-reports.ts'
import { readShardReport } from '../report/read-report.ts'
import type { ShardReceipt } from '../report/whole.ts'
import { guardOf } from './guard.ts'
import { planReceiptView } from './receipt-view.ts'

/** The columns of what is not done. */
const leftView: View = {
  ...planReceiptView,
  columns: [{ field: 'shard', isWhole: true }, ...planReceiptView.columns],
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
  for (const path of unique) reports.push(await readShardReport(path))
  const merged = mergeReports(reports as [(typeof reports)[0], ...typeof reports])
  const { receipts, whole } = merged
  if (context.options.dryRun) await context.list(requestView, [[{ method: 'WRITE', url: `file:${out}` }]])
  else {
    await mayOverwrite(context, out)
    await writeReport(out, receipts, guardOf(context), { now: context.world.clock.now(), version, whole })
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
const isLeftToPeople = ({ whole }: Merged, { outcome }: ShardReceipt): boolean =>
  whole.planId !== null && outcome === 'conflict'

function tallyOfMerged({ receipts, whole }: Merged): string {
  const without = receipts.filter(isWithout).length
  const counted = tallyOf(receipts.filter(each => !isWithout(each)))
  return `${receipts.length} in ${whole.total} shards: ${counted}${without > 0 ? `, ${without} without a receipt` : ''}.`
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
function absentIn({ receipts, whole: { total, shards } }: Merged): FailureDetail[] {
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
