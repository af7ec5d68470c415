/** One part of a batch that several machines share: the `index`-th of `total`, both counted from 1. */
export interface Shard {
  readonly index: number
  readonly total: number
}

/** The most shards that a batch is divided into. */
export const mostShards = 10_000

export const shardText = ({ index, total }: Shard): string => `${index}/${total}`
