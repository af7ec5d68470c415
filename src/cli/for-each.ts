import type { Context } from '../context.ts'
import { exitCodes, Failure, isFatal } from '../errors.ts'
import type { View } from '../output/view.ts'

/**
 * Does one thing to each of several ids and shows what came of it: one id gives its item, several give a list. A
 * single id's failure is the command's own; of several, each failure is told and the rest go on (exit code 10).
 */
export async function forEach(
  context: Context,
  view: View,
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<void> {
  const unique = [...new Set(ids)]
  const [only] = unique
  if (unique.length === 1 && only !== undefined) {
    const item = await act(only)
    return item === undefined ? undefined : await context.item(view, item)
  }
  const done: unknown[] = []
  const failures: { id: string; failure: Failure }[] = []
  for (const id of unique) {
    try {
      const item = await act(id)
      if (item !== undefined) done.push(item)
    } catch (error) {
      if (!(error instanceof Failure) || isFatal(error)) throw error
      failures.push({ id, failure: error })
    }
  }
  if (!context.options.dryRun) await context.list(view, [done])
  if (failures.length > 0) throw partFailed(failures, unique.length)
}

/** The failure of a batch, of which each item's failure is a detail. */
export const partFailed = (failures: readonly { id: string; failure: Failure }[], count: number): Failure =>
  new Failure(`${failures.length} of ${count} failed`, {
    code: 'part_failed',
    exitCode: exitCodes.partFailed,
    details: failures.map(({ id, failure }) => ({
      message: failure.message,
      path: [id],
      code: failure.code,
    })),
  })
