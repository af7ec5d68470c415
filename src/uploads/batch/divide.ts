import type { Context } from '../../cli/context.ts'
import { type Part, partOf, rowsOf } from '../../plan/divide.ts'
import { type Shard, shardText } from '../../plan/shard.ts'

/** The rows of a batch that this command does: all, or those of a shard, which it says. */
export async function divide<T>(
  context: Context,
  all: readonly T[],
  { keyOf, shard, noun }: { keyOf: (row: T) => string; shard: Shard | undefined; noun: 'books' | 'steps' },
): Promise<{ rows: readonly T[]; part: Part | undefined }> {
  if (shard === undefined) return { rows: all, part: undefined }
  const part = partOf(all.map(keyOf), shard)
  await context.note(`Shard ${shardText(shard)}: ${part.rows.length} of ${all.length} ${noun}.`)
  return { rows: rowsOf(all, part), part }
}
