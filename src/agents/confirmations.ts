import { UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'

/** How long a confirmation can be used, in minutes. */
export const confirmationMinutes = 10

/** How many confirmations there are at a time; the oldest are forgotten. */
const mostConfirmations = 100

/** Random texts that agents must repeat before something is deleted. Each is for one call and can be used once. */
export function openConfirmations(clock: World['clock']) {
  const kept = new Map<string, { call: string; until: number }>()
  return {
    /** A text that confirms a call. */
    make(call: string): string {
      const [oldest] = kept.keys()
      if (kept.size >= mostConfirmations && oldest !== undefined) kept.delete(oldest)
      const text = `delete-${crypto.randomUUID()}`
      kept.set(text, { call, until: clock.monotonic() + confirmationMinutes * 60_000 })
      return text
    },
    /** Uses a text up. Throws UsageFailure `not_confirmed` unless it was made for this call, and not too long ago. */
    use(text: string, call: string): void {
      const found = kept.get(text)
      kept.delete(text)
      if (found === undefined) throw notConfirmed('the confirmation is unknown, or was used already')
      if (found.until < clock.monotonic()) throw notConfirmed('the confirmation is too old')
      if (found.call !== call) throw notConfirmed('the confirmation is for another call')
    },
  }
}

const notConfirmed = (message: string): UsageFailure =>
  new UsageFailure(`${message}, so nothing was deleted`, {
    code: 'not_confirmed',
    hint: 'Call the tool without a confirmation to get a new one.',
  })
