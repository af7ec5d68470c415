import type { Check } from '../books/outside-checks.ts'
import type { Context } from '../cli/context.ts'
import type { World } from '../system/world.ts'
import { shownCheck } from './shown-check.ts'

/** Opened once for each run, so that one process checks all its books. */
const opened = new WeakMap<World, Promise<Check>>()

/**
 * The check by EPUBCheck, which is loaded only where it is asked for, and ended with the command. Throws UsageFailure
 * `checker_missing` if it is not installed.
 */
export async function openedEpubCheck(context: Context): Promise<Check> {
  const opening = opened.get(context.world) ?? open(context)
  opened.set(context.world, opening)
  return await opening
}

async function open(context: Context): Promise<Check> {
  const { openEpubCheck } = await import('../books/outside-checks.ts')
  const { check, close } = await openEpubCheck(context.world)
  context.onClose(async () => close())
  return shownCheck('EPUBCheck', check, context)
}
