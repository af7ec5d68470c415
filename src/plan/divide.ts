import { createHash } from 'node:crypto'
import { isbn13 } from './match.ts'
import type { PlanStep } from './plan-step.ts'
import type { Shard } from './shard.ts'
import type { WantedFile } from './wanted.ts'

/**
 * The index, from 1 to `total`, of the shard that a key belongs to: the first six bytes of the SHA-256 of the key, in NFC and
 * UTF-8, as a number modulo `total`. It depends on nothing but the key, so that another row moves none.
 */
export const shardOf = (key: string, total: number): number =>
  (createHash('sha256').update(key.normalize('NFC')).digest().readUIntBE(0, 6) % total) + 1

/** What a shard does of a whole batch. */
export interface Part {
  readonly shard: Shard
  /** The key of every row of the batch, in its order. */
  readonly keys: readonly string[]
  /** Which of these rows are the shard's, counted from 0. */
  readonly rows: readonly number[]
}

export const partOf = (keys: readonly string[], shard: Shard): Part => ({
  shard,
  keys,
  rows: keys.flatMap((key, row) => (shardOf(key, shard.total) === shard.index ? [row] : [])),
})

/** The rows of a batch that a part consists of. */
export const rowsOf = <T>(all: readonly T[], { rows }: Part): T[] => rows.map(row => all[row] as T)

/** What a file is known by before it is read: its ISBN if the user gave one, else its path. */
export const keyOfFile = ({ file, overrides, below = file }: WantedFile): string =>
  isbn13(overrides.isbn) ?? below

/** What a step is known by. Steps that name no book are left to people, so that it does not matter who reports them. */
export const keyOfStep = ({
  key,
  publicationId,
  file,
  action,
}: Pick<PlanStep, 'key' | 'publicationId' | 'file' | 'action'>): string =>
  key ?? publicationId ?? file ?? action
