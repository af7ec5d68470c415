import { shardOf } from '../../plan/divide.ts'
import { shardText } from '../../plan/shard.ts'
import { UsageFailure } from '../../system/errors.ts'
import { emptyReceipt, isFailed, type Receipt } from '../receipt.ts'
import type { ShardReport } from './read-report.ts'
import type { ShardReceipt, Whole } from './whole.ts'

/** The receipts of all shards. */
export interface Merged {
  readonly whole: Whole
  /** One for each book, in the order of the sources; what no shard has done has the error `no_receipt`. */
  readonly receipts: readonly ShardReceipt[]
}

/**
 * Joins the reports of shards. Where several have a receipt of the same book, the one of the latest report counts, because it
 * knows most; but one that was not begun says nothing, and a skip only confirms what was uploaded before. Throws
 * UsageFailure `mixed_receipts` if they are not of one whole.
 */
export function mergeReports(reports: readonly [ShardReport, ...ShardReport[]]): Merged {
  const [first] = reports
  for (const other of reports.slice(1)) checkSame(first, other)
  const { keys, total } = first.whole
  const best: (ShardReceipt | undefined)[] = keys.map(() => undefined)
  const inTime = [...reports].sort((a, b) => Date.parse(a.whole.ended) - Date.parse(b.whole.ended))
  for (const { receipts } of inTime) {
    for (const receipt of receipts) {
      const earlier = best[receipt.row - 1]
      if (earlier === undefined || counts(receipt, earlier)) best[receipt.row - 1] = receipt
    }
  }
  const latest = inTime.at(-1) as ShardReport
  return {
    whole: {
      ...latest.whole,
      scopeId: reports.find(({ whole }) => whole.scopeId !== null)?.whole.scopeId ?? null,
      shards: [...new Set(reports.flatMap(({ whole }) => whole.shards))].sort((a, b) => a - b),
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
  const difference = differenceOf(one.whole, other.whole)
  if (difference === undefined) return
  throw new UsageFailure(`${one.path} and ${other.path} do not belong together: ${difference}`, {
    code: 'mixed_receipts',
    hint: 'Name the reports of the shards of one batch. Nothing was written.',
  })
}

function differenceOf(one: Whole, other: Whole): string | undefined {
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
