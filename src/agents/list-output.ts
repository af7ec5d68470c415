/** What a command printed with `--envelope`: the items of a list, one a line, or what it printed else. */
export interface ListOutput {
  readonly data: string
  /** The options that the command would go on with, if the list was cut. */
  readonly rest: Readonly<Record<string, unknown>> | undefined
}

/** Takes the envelope off a list. Each item is on a line of its own, so that nothing has to be parsed. */
export function readListOutput(out: string): ListOutput {
  const [, next] = /(?:\n|^\{"items":\[)\],"next":(\[[^\n]*\])\}\n$/.exec(out) ?? []
  if (next === undefined || !out.startsWith('{"items":[')) return { data: out, rest: undefined }
  const items = out.slice('{"items":['.length, out.lastIndexOf('],"next":'))
  return { data: items.trim().replaceAll(',\n', '\n'), rest: restIn(next) }
}

/** Finds among the commands to go on with the one for the rest of the list. */
function restIn(next: string): ListOutput['rest'] {
  const commands: unknown = JSON.parse(next)
  const [command] = Array.isArray(commands) ? commands : []
  if (typeof command !== 'string') return undefined
  const words = shellWords(command)
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  const token = options.findLast(word => word.startsWith('--next-token='))
  if (token) return { next_token: token.slice('--next-token='.length) }
  return options.includes('--all') ? { all: true, limit: undefined } : undefined
}

/** The words of a command line as pubctl writes it for a shell. */
function shellWords(line: string): string[] {
  const words = ['']
  for (const [part, quoted, escaped] of line.matchAll(/'([^']*)'|\\(.)|[^\s'\\]+|\s+/g)) {
    if (part.trim() === '') words.push('')
    else words[words.length - 1] += quoted ?? escaped ?? part
  }
  return words
}
