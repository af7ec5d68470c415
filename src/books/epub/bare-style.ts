/** A style sheet without its comments, texts and addresses; blanks or lines stand in their place, with the same line breaks. */
export function bareStyle(css: string): string {
  const parts: string[] = []
  let at = 0
  // Where no comment and no address ends after this, none has to be sought again.
  const hasEnd = new Map<string, boolean>()
  const endOf = (sign: string, from: number): number => {
    if (hasEnd.get(sign) === false) return -1
    const end = css.indexOf(sign, from)
    hasEnd.set(sign, end >= 0)
    return end
  }
  const start = /\/\*|["']|url\(/gi
  for (let match = start.exec(css); match !== null; match = start.exec(css)) {
    const [sign] = match
    const from = match.index + sign.length
    const isText = sign === '"' || sign === "'"
    const isComment = sign === '/*'
    const found = isText ? endOfText(css, from, sign) : endOf(isComment ? '*/' : ')', afterText(css, from))
    // What does not end is nothing to be left out.
    if (found < 0) continue
    const end = isText ? found : found + (isComment ? 2 : 1)
    const text = css.slice(match.index, end)
    parts.push(css.slice(at, match.index), text.replace(/[^\n]/g, isComment ? ' ' : '_'))
    at = end
    start.lastIndex = end
  }
  parts.push(css.slice(at))
  return parts.join('')
}

/** The position after the text that an address may be. */
function afterText(css: string, from: number): number {
  const quote = css[from] ?? ''
  return quote === '"' || quote === "'" ? endOfText(css, from + 1, quote) : from
}

/** Where a text ends whose first quote is before `from`: after its quote, or at the end of its line. */
function endOfText(css: string, from: number, quote: string): number {
  for (let at = from; at < css.length; at += 1) {
    if (css[at] === '\\') at += 1
    else if (css[at] === quote) return at + 1
    else if (css[at] === '\n') return at
  }
  return css.length
}
