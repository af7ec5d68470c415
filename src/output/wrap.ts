/** What stays on one line, since a person copies it or reads it as one: a command after a colon, and what is quoted. */
const unit = /(?<=: )(?:pubctl|chmod) .*?(?=[.;] |$)|"[^"]*"\S*|\S+/g

/**
 * Text in lines of a terminal's width, broken between words; `indent` is what the further lines begin with. A word, or
 * a command to copy, that is longer than a line is left to the terminal.
 */
export function wrap(
  text: string,
  width: number,
  indent = '',
  measure: (text: string) => number = ({ length }) => length,
): string {
  if (measure(text) <= width) return text
  const lines: string[] = []
  let line = ''
  let used = 0
  let end = 0
  for (const { 0: word, index } of text.matchAll(unit)) {
    const blanks = text.slice(end, index)
    const size = blanks.length + measure(word)
    if (end === 0 || used + size <= width) {
      line += blanks + word
      used += size
    } else {
      lines.push(line)
      line = indent + word
      used = measure(line)
    }
    end = index + word.length
  }
  return [...lines, line].join('\n')
}
