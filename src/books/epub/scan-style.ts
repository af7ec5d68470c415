import type { ExactPosition } from '../position.ts'

/** An address, and where what it begins with stands in the style. */
interface FoundUrl extends ExactPosition {
  href: string
}

/** The addresses in a style sheet or a `style` element, in their order. `isCut` is whether there are more of them. */
export function urlsIn(css: string): { urls: FoundUrl[]; isCut: boolean } {
  const found: FoundUrl[] = []
  const bare = withoutComments(css)
  let line = 1
  let lineBegan = 0
  let counted = 0
  let at = 0
  const matchAt = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(bare)
    if (match) at = pattern.lastIndex
    return match
  }
  for (let start = matchAt(starts); start; start = matchAt(starts)) {
    const word = start[0].toLowerCase()
    // What looks like an address in a namespace or a text is none.
    if (word.startsWith('@n')) matchAt(namespace)
    else if (word === '"' || word === "'") at = endOfText(bare, at, word)
    else {
      const match = matchAt(word.startsWith('@i') ? imported : address)
      const href = match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
      for (; counted < start.index; counted += 1) {
        if (bare[counted] !== '\n') continue
        line += 1
        lineBegan = counted + 1
      }
      if (href !== '') found.push({ href, line, column: start.index - lineBegan + 1 })
      if (found.length >= limit) return { urls: found, isCut: true }
    }
  }
  return { urls: found, isCut: false }
}

/** More than any style sheet has. */
const limit = 5000

/** What an address, or what hides one, begins with. */
const starts = /@namespace|url\(|@import\s|["']/gi
const namespace = /[^;\n]{0,2000}/y
const imported = /"([^"\n]{0,2000})"|'([^'\n]{0,2000})'/y
const address = /[ \t]?(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|([^"'()\s]{0,2000}))/y

/** Where a text ends whose first quote is before `from`: `from` if it has no other in its line, within what a text may have. */
function endOfText(css: string, from: number, quote: string): number {
  const last = Math.min(css.length, from + 2000)
  for (let at = from; at < last && css[at] !== '\n'; at += 1) {
    if (css[at] === '\\') at += 1
    else if (css[at] === quote) return at + 1
  }
  return from
}

/** Comments become spaces, so that lines and columns stay. */
function withoutComments(css: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = css.indexOf('/*'); start >= 0; start = css.indexOf('/*', at)) {
    const end = css.indexOf('*/', start + 2)
    parts.push(css.slice(at, start))
    if (end < 0) return parts.join('')
    parts.push(css.slice(start, end + 2).replace(/[^\n]/g, ' '))
    at = end + 2
  }
  parts.push(css.slice(at))
  return parts.join('')
}
