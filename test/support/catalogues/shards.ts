import { readFileSync, writeFileSync } from 'node:fs'
import { partOf } from '../../../src/plan/divide.ts'
import { shardText } from '../../../src/plan/shard.ts'
import { emptyReceipt, type Receipt } from '../../../src/uploads/receipt.ts'
import type { ShardHead } from '../../../src/uploads/report/shard-head.ts'

/** A report as a shard leaves it: its head, and then a receipt a line. */
export interface Report {
  head: ShardHead & { receipts: number }
  receipts: (Receipt & { row: number; shard: string })[]
}

export function readReport(path: string): Report {
  const [head, ...receipts] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  return { head, receipts }
}

export const reportText = ({ head, receipts }: Report): string =>
  [head, ...receipts].map(line => `${JSON.stringify(line)}\n`).join('')

/** The report of a shard whose books were all uploaded, but for what `change` says of some. */
export function reportOf(
  keys: readonly string[],
  index: number,
  total: number,
  change: { head?: Partial<ShardHead>; receipt?: (key: string) => Partial<Receipt> } = {},
): Report {
  const shard = shardText({ index, total })
  const receipts = partOf(keys, { index, total }).rows.map(row => ({
    ...{ row: row + 1, shard },
    ...{ ...emptyReceipt(keys[row] as string), outcome: 'uploaded' as const, publicationId: `pub_${row}` },
    ...change.receipt?.(keys[row] as string),
  }))
  return {
    head: {
      ...{ pubctl: '0.1.0', planId: null, baseUrl: 'https://api.example.com', scopeId: 'scope_1' },
      ...{ total, shards: [index], ended: '2026-11-22T10:00:00.000Z', keys },
      ...change.head,
      receipts: receipts.length,
    },
    receipts,
  }
}

export function writeReport(path: string, report: Report): string {
  writeFileSync(path, reportText(report))
  return path
}
