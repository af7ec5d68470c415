/**
 * JSON with each string, quotation marks included, and each number replaced. A string that does not end goes to the end of the text.
 * The end of a string is looked for by hand: a pattern that steps over escapes runs out of stack after some millions of them.
 */
export function replaceTokens(json: string, replace: (token: string) => string): string {
  const start = /"|-?\d[\d.eE+-]*/g
  let replaced = ''
  let done = 0
  for (let match = start.exec(json); match !== null; match = start.exec(json)) {
    if (match[0] === '"') start.lastIndex = endOfString(json, match.index + 1)
    replaced += json.slice(done, match.index) + replace(json.slice(match.index, start.lastIndex))
    done = start.lastIndex
  }
  return replaced + json.slice(done)
}

/** Where a string ends, behind its quotation mark, before which stands no odd number of backslashes. */
function endOfString(json: string, from: number): number {
  for (let quote = json.indexOf('"', from); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (json[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
  return json.length
}
