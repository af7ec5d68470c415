import type { Receipt } from '../receipt.ts'

/** What the report of a shard says besides its receipts, so that the reports of all shards can be joined. */
export interface ShardHead {
  /** The version of pubctl that made it. */
  readonly pubctl: string
  /** The plan that was carried out; null for uploads without a plan. */
  readonly planId: string | null
  readonly baseUrl: string
  readonly scopeId: string | null
  /** How many shards there are. */
  readonly total: number
  /** The shards whose receipts are in the report, counted from 1. */
  readonly shards: readonly number[]
  /** When the receipts were complete, as an ISO timestamp. */
  readonly ended: string
  /** The keys of all books of all shards, in the order of the sources. */
  readonly keys: readonly string[]
}

/** A receipt in the report of a shard. */
export interface ShardReceipt extends Receipt {
  /** The place of its key among all keys, counted from 1. */
  readonly row: number
  /** Such as `3/7`. */
  readonly shard: string
}
