import { exitCodes, Failure, isFatal } from '../system/errors.ts'
import type { Context } from './context.ts'
import type { View } from './output/view.ts'

/**
 * Does something to each id and prints the results: an item for one id, a list for several. One id's failure is the
 * command's failure. With several, the rest go on and the command ends with a failure that lists each one (exit code 10).
 * Failures that would meet every id, such as an invalid key, end the command at once.
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

/** The failure of a batch, with each item's failure as a detail. */
export const partFailed = (
  failures: readonly { id: string; failure: Failure }[],
  count: number,
  message = `${failures.length} of ${count} failed`,
): Failure =>
  new Failure(message, {
    code: 'part_failed',
    exitCode: exitCodes.partFailed,
    details: failures.map(({ id, failure }) => ({
      message: failure.message,
      path: [id],
      code: failure.code,
      exitCode: failure.exitCode,
      ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    })),
  })
