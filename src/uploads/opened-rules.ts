import type { openRules, Rules } from '../books/rules/index.ts'
import type { World } from '../system/world.ts'

/** Opened once for each list of names, so that a run asks the same rules of all its books. */
const opened = new WeakMap<readonly string[], Promise<Rules>>()

/** The rules of some names, which are loaded only where there are any. Options and failures are those of `openRules`. */
export async function openedRules(
  names: readonly string[] | undefined,
  { mayRead, clock }: Pick<World, 'mayRead' | 'clock'>,
  options?: Parameters<typeof openRules>[3],
): Promise<Rules | undefined> {
  if (names === undefined) return undefined
  const known = opened.get(names)
  if (known) return await known
  const { openRules: open } = await import('../books/rules/index.ts')
  const opening = open(names, mayRead, clock.now(), options)
  opened.set(names, opening)
  return await opening
}
