import { Failure, Interrupted } from '../system/errors.ts'
import { sha256Of } from '../uploads/reading/hash.ts'
import { isSameStamp, stampOf } from './folder/scan.ts'
import { isStill } from './folder/stillness.ts'
import { whyNotWhole } from './folder/whole.ts'
import { type Item, seenOf } from './item.ts'
import type { WatchOptions } from './options.ts'

/** Whether a file can be sent: `why` says what it waits for, unless that is only the quiet period. */
export type Readiness =
  | { readonly is: 'ready'; readonly sha256: string }
  | { readonly is: 'settling' }
  | { readonly is: 'waiting'; readonly why: string; readonly isTrouble: boolean }

interface Looking {
  readonly now: () => number
  readonly signal: AbortSignal
  readonly options: Pick<WatchOptions, 'quietPeriod' | 'trigger'>
}

/** Looks whether a file is ready. What was found out about its content is kept in the item. */
export async function readinessOf(item: Item, { now, signal, options }: Looking): Promise<Readiness> {
  const { path, stamp, trigger } = seenOf(item)
  if (!isStill(item.watched, now(), options.quietPeriod)) return { is: 'settling' }
  if (options.trigger && trigger === undefined)
    return waiting(`there is no ${options.trigger.namesFor(seenOf(item).name).join(' or ')}`, false)
  try {
    item.wholeness ??= { why: await whyNotWhole(path) }
    const { why } = item.wholeness
    if (why !== undefined) return waiting(`it is not whole: ${why}`)
    if (item.sha256 === undefined) {
      const sha256 = await sha256Of(path, Number(stamp.bytes), signal)
      const after = await stampOf(path)
      // The next scan sees the change, and the quiet period begins again.
      if (after === undefined || !isSameStamp(after, stamp)) return { is: 'settling' }
      item.sha256 = sha256
    }
    return { is: 'ready', sha256: item.sha256 }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    item.wholeness = undefined
    // Whoever took it away has it.
    if ((await stampOf(path)) === undefined) return { is: 'settling' }
    if (error instanceof Failure) return waiting(error.message)
    const { code, message } = error as NodeJS.ErrnoException
    return waiting(`it cannot be read: ${code ?? message}`)
  }
}

const waiting = (why: string, isTrouble = true): Readiness => ({ is: 'waiting', why, isTrouble })
