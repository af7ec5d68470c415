/** The known word that a mistyped word most likely means; undefined when none is similar. */
export function closest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let fewest = Math.max(2, Math.floor(word.length * 0.4)) + 1
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < fewest && edits < candidate.length) [best, fewest] = [candidate, edits]
  }
  return best
}

/** Ends an error with what was meant: `; did you mean "list"?`, or nothing. */
export const didYouMean = (meant: string | undefined): string =>
  meant === undefined ? '' : `; did you mean "${meant}"?`

/** The Damerau–Levenshtein distance of two words: edits of single letters, and swaps of neighbouring ones. */
function distance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], [...Array(b.length + 1).keys()]]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let edits = Math.min(at(next, j - 1) + 1, at(row, j) + 1, at(row, j - 1) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(before, j - 2) + 1)
      next.push(edits)
    }
    ;[before, row] = [row, next]
  }
  return at(row, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
