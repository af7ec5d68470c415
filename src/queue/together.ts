import type { Clock } from '../system/world.ts'

/**
 * Gathers what is asked for within so many milliseconds of the first of it, so that `askAll` answers it with one statement, in
 * the same order. What that throws, each of them throws.
 */
export function together<Item, Answer>(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  askAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let gathered: { readonly items: Item[]; readonly answers: Promise<readonly Answer[]> } | undefined
  const gather = () => {
    const items: Item[] = []
    const answers = new Promise<readonly Answer[]>((resolve, reject) => {
      clock.after(milliseconds, () => {
        gathered = undefined
        askAll(items).then(resolve, reject)
      })
    })
    return { items, answers }
  }
  return async item => {
    gathered ??= gather()
    const { items, answers } = gathered
    const index = items.push(item) - 1
    return (await answers)[index] as Answer
  }
}
