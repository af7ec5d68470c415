/** How many answers can be continued at a time, and how many characters of them are kept. */
const [mostKept, mostCharacters] = [64, 16_000_000]

/** What an answer goes on with: the rest of its text, and then another call. */
export interface Rest {
  readonly text: string
  readonly isError: boolean
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | undefined
}

/** What answers go on with, by the random names that agents are told. The oldest are forgotten. */
export function openContinuations() {
  const kept = new Map<string, Rest>()
  return {
    keep(rest: Rest): string {
      const name = crypto.randomUUID()
      kept.set(name, rest)
      let characters = [...kept.values()].reduce((sum, { text }) => sum + text.length, 0)
      for (const [oldest, { text }] of kept) {
        if (oldest === name || (kept.size <= mostKept && characters <= mostCharacters)) break
        kept.delete(oldest)
        characters -= text.length
      }
      return name
    },
    /** What the name stands for. It stays, so that an answer that got lost can be asked for again. */
    find: (name: string): Rest | undefined => kept.get(name),
  }
}
