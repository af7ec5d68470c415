/**
 * Lets signals and timers have their turn, which is kept from them by work that never waits. Throws the reason of the signal once
 * it is aborted.
 */
export async function rest(signal: AbortSignal): Promise<void> {
  await new Promise(setImmediate)
  signal.throwIfAborted()
}
