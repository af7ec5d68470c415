/** The budget of bytecode after which V8 thinks of optimising a function: what Node 20 has, and eight times that. */
const [usual, later] = [67_584, 540_672]

/** How many books it takes for this to matter. */
const worthIt = 8

/**
 * Has V8 optimise functions later while so many books are worked on, until what is returned is called. That is over in seconds, of
 * which V8 on Node 20 spends a quarter on optimising what is then hardly called again: 1,000 books that are uploaded take 5.5 s of
 * processor instead of 6.7, and 200 that are inspected a sixth less. Node 22 counts calls instead, and to have it count
 * eight times as many saves 2 %; Node 24 has another compiler in between. The usual budget has to be back when the program ends,
 * because V8's code cache is only valid for the same flags.
 */
export function optimiseLater(books: number): () => void {
  if (books < worthIt || !process.version.startsWith('v20.')) return () => undefined
  // Loaded on demand, since it loads streams.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const set = (budget: number) => setFlagsFromString(`--interrupt-budget=${budget}`)
  set(later)
  return () => set(usual)
}
