/**
 * The addresses in a style sheet or a `style` element, in their order, with the line of each from 1. `isCut` is whether
 * there are more of them.
 */
export function urlsIn(css: string): { urls: { href: string; line: number }[]; isCut: boolean } {
  const found: { href: string; line: number }[] = []
  const bare = withoutComments(css)
  let line = 1
  let counted = 0
  for (const match of bare.matchAll(urls)) {
    const href = match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5] ?? ''
    for (; counted < match.index; counted += 1) if (bare[counted] === '\n') line += 1
    if (href !== '') found.push({ href, line })
    if (found.length >= limit) return { urls: found, isCut: true }
  }
  return { urls: found, isCut: false }
}

/** More than any style sheet has. */
const limit = 5000

/** Namespaces and texts are matched as well, since what looks like an address in them is none. */
const urls =
  /@namespace[^;\n]{0,2000}|url\([ \t]?(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|([^"'()\s]{0,2000}))|@import\s(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})')|"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'/gi

/** Comments become spaces, so that the lines stay. */
function withoutComments(css: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = css.indexOf('/*'); start >= 0; start = css.indexOf('/*', at)) {
    const end = css.indexOf('*/', start + 2)
    parts.push(css.slice(at, start))
    if (end < 0) return parts.join('')
    parts.push(css.slice(start, end).replace(/[^\n]+/g, ' '))
    at = end + 2
  }
  parts.push(css.slice(at))
  return parts.join('')
}
