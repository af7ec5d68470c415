import * as z from 'zod/mini'
import { CheckedByList } from '../../plan/checked-by.ts'
import { shardOf } from '../../plan/divide.ts'
import { mostShards, shardText } from '../../plan/shard.ts'
import { late, nonEmpty } from '../../service/contract/endpoint.ts'
import { inEnglish } from '../../service/contract/zod-parts.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { MayRead } from '../../system/may-read.ts'
import { type OpenFile, openFile } from '../../system/open-file.ts'
import { readLines } from '../../system/read-lines.ts'
import { outcomes } from '../receipt.ts'
import type { ShardHead, ShardReceipt } from './shard-head.ts'

/** The report of one or more shards. */
export interface ShardReport {
  readonly path: string
  readonly head: ShardHead
  readonly receipts: readonly ShardReceipt[]
}

const text = () => z.nullable(z.string())
const count = () => z.int().check(z.minimum(0))
const ordinal = () => z.int().check(z.minimum(1))
const time = () => z.string().check(z.refine(value => !Number.isNaN(Date.parse(value)), 'must be a time'))

const told = () => z.looseObject({ code: z.string(), message: z.string(), hint: z.optional(z.string()) })

const Head = late(() =>
  z.object({
    pubctl: nonEmpty(),
    planId: z.nullable(z.uuid()),
    baseUrl: nonEmpty(),
    scopeId: text(),
    total: ordinal().check(z.maximum(mostShards)),
    shards: z.array(ordinal()),
    ended: time(),
    keys: z.array(z.string()),
    receipts: z.union([count(), z.array(z.unknown())]),
  }),
)

const Receipt = late(() =>
  z.object({
    row: ordinal(),
    shard: z.string(),
    file: text(),
    title: z.nullish(z.string()),
    author: z.nullish(z.array(z.string())),
    key: z.nullish(z.string()),
    sha256: text(),
    bytes: z.nullable(count()),
    type: text(),
    publicationId: text(),
    editionId: text(),
    uploadRequestId: text(),
    uploadStatus: text(),
    outcome: z.enum(outcomes),
    why: text(),
    warnings: z.array(told()),
    checkedBy: z.optional(CheckedByList()),
    error: z.nullable(
      z.looseObject({
        ...told().shape,
        details: z.optional(z.array(z.looseObject({ message: z.string(), hint: z.optional(z.string()) }))),
        exitCode: z.optional(count()),
        batchExitCode: z.optional(count()),
      }),
    ),
  }),
)

/** The longest line in bytes. The first one has the keys of all shards: a million of them need 20 MB. */
const longestLine = 256 * 1024 * 1024

/**
 * Reads the report that a shard, or an earlier merge, has left: NDJSON or JSON. Throws UsageFailure `bad_receipts` if it is
 * none or is damaged, and `file_unreadable` if it cannot be read.
 */
export async function readShardReport(path: string, mayRead: MayRead): Promise<ShardReport> {
  const file = await openFile(path, mayRead)
  try {
    return await read(path, file)
  } finally {
    await file.close()
  }
}

async function read(path: string, file: OpenFile): Promise<ShardReport> {
  const values = await valuesIn(path, file)
  const first = values[0]?.value
  const checked = z.safeParse(Head(), first, inEnglish)
  if (!checked.success) throw notAReport(path, checked.error, first)
  const { receipts: held, ...head } = checked.data
  const lines = Array.isArray(held) ? held.map(value => ({ value, place: '' })) : values.slice(1)
  if (!Array.isArray(held) && held !== lines.length)
    throw damaged(path, `it has ${lines.length} of ${held} receipts`)
  const receipts = lines.map(({ value, place }, index) => {
    const receipt = z.safeParse(Receipt(), value, inEnglish)
    // The value itself is used, because the schema would drop what later versions add.
    if (receipt.success) return completed(value as ShardReceipt)
    throw damaged(path, `${place || `receipt ${index + 1}`}: ${faultOf(receipt.error)}`)
  })
  checkRows(path, head, receipts)
  return { path, head, receipts }
}

/** What the reports of earlier versions did not have is unknown. */
const completed = (receipt: ShardReceipt): ShardReceipt =>
  receipt.title === undefined || receipt.author === undefined
    ? { ...receipt, title: receipt.title ?? null, author: receipt.author ?? null }
    : receipt

/** The JSON values in a file: one, or one a line. */
async function valuesIn(path: string, file: OpenFile): Promise<{ value: unknown; place: string }[]> {
  const values: { value: unknown; place: string }[] = []
  const lines: Buffer[] = []
  let isCutLast = false
  for await (const { bytes, number } of readLines(file.read, longestLine)) {
    if (bytes === undefined) throw damaged(path, `line ${number} is too long`)
    if (number === 1) isCutLast = parse(bytes) === undefined
    if (isCutLast) lines.push(bytes, Buffer.from('\n'))
    else if (bytes.length > 0) {
      const value = parse(bytes)
      if (value === undefined) throw damaged(path, `line ${number}: it is not JSON`)
      values.push({ value, place: `line ${number}` })
    }
  }
  if (!isCutLast) return values
  return [{ value: parse(Buffer.concat(lines)), place: '' }]
}

/** The value of some JSON; undefined if it is none. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Each receipt belongs to its row and shard, and each shard that is named has all of its rows. */
function checkRows(
  path: string,
  { keys, total, shards }: Omit<ShardHead, 'receipts'>,
  receipts: readonly ShardReceipt[],
): void {
  const rows = new Set<number>()
  for (const { row, shard } of receipts) {
    const key = keys[row - 1]
    if (key === undefined) throw damaged(path, `there is no row ${row}`)
    if (shard !== shardText({ index: shardOf(key, total), total }))
      throw damaged(path, `row ${row} does not belong to shard ${shard}`)
    if (rows.has(row)) throw damaged(path, `row ${row} is there twice`)
    rows.add(row)
  }
  if (shards.some(each => each > total)) throw damaged(path, `it names a shard beyond ${total}`)
  const named = new Set(shards)
  const missing = keys.findIndex((key, index) => !rows.has(index + 1) && named.has(shardOf(key, total)))
  if (missing !== -1) throw damaged(path, `row ${missing + 1} is missing`)
}

function notAReport(path: string, error: z.core.$ZodError, first: unknown): UsageFailure {
  const isHead = typeof first === 'object' && first !== null && 'keys' in first
  if (isHead) return damaged(path, faultOf(error))
  return new UsageFailure(`${path} is not the report of a shard`, {
    code: 'bad_receipts',
    hint: 'Shards leave what can be merged with --report and a name that ends in .ndjson or .json.',
  })
}

const faultOf = ({ issues: [issue] }: z.core.$ZodError): string => {
  const place = issue?.path.join('.')
  return `${place ? `${place}: ` : ''}${issue?.message ?? 'it is not valid'}`
}

const damaged = (path: string, fault: string): UsageFailure =>
  new UsageFailure(`${path} is damaged: ${fault}`, {
    code: 'bad_receipts',
    hint: 'Run its shard again, or copy the file again.',
  })
