import type { Context } from '../cli/context.ts'
import { createCountProgress } from '../cli/output/count-progress.ts'

/** Shows a count, ten times a second at most. */
export async function counting(context: Context) {
  const { clock } = context.world
  const count = createCountProgress(await context.progress(), context.err, clock)
  let last = clock.monotonic()
  return {
    show(what: string, done: number, total?: number) {
      const now = clock.monotonic()
      if (now - last < 100) return
      last = now
      count.show(what, done, total)
    },
    stop: count.stop,
  }
}
