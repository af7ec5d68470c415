/** Text that is not broken: commands after a colon, which people copy, but no sentence of a message, and quoted text. */
const unit = /(?<=: )(?<!^(?:warning|error): )(?:pubctl|chmod) .*?(?=[.;] |$)|"[^"]*"\S*|\S+/g

/**
 * Breaks text between words into lines of a width in terminal cells. `indent` starts all lines but the first. A word or
 * command that is longer than a line is not broken.
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
