import { selectFields } from './fields.ts'
import { jsonItem, jsonText } from './json.ts'
import { type Answers, inChunks, type OutputOptions } from './view.ts'
import type { Writer } from './writer.ts'

/**
 * Prints the answers of a listing as one JSON document: the fields of the first, the `items` of all as they arrive, and
 * the last `nextToken`. `--query` needs all answers first, and an answer without `items` is printed as it is.
 */
export async function jsonAnswers(out: Writer, options: OutputOptions, answers: Answers): Promise<void> {
  if (options.query !== undefined) return await jsonItem(out, options, await allAnswers(answers))
  const document = openDocument(out)
  try {
    for await (const answer of answers) {
      const chosen = options.fields ? selectFields(answer, options.fields) : answer
      const { items, nextToken, ...rest } = chosen as Record<string, unknown>
      if (!Array.isArray(items)) {
        if (document.isEmpty()) return await jsonItem(out, options, answer)
        continue
      }
      await document.begin(rest)
      document.nextToken = nextToken
      for (const chunk of inChunks(items)) await document.add(chunk)
      if (out.isClosed) return
    }
  } finally {
    // Also when a later page fails, so that the output is valid JSON.
    await document.end()
  }
}

/** All answers as one. */
export async function allAnswers(answers: Answers): Promise<Record<string, unknown>> {
  const items: unknown[] = []
  let first: Record<string, unknown> | undefined
  let latest: Record<string, unknown> = {}
  for await (const answer of answers) {
    first ??= answer
    latest = answer
    if (Array.isArray(answer['items'])) for (const item of answer['items']) items.push(item)
  }
  return {
    ...first,
    ...(Array.isArray(first?.['items']) ? { items } : {}),
    ...('nextToken' in latest ? { nextToken: latest['nextToken'] } : {}),
  }
}

/** Writes one object piece by piece: indented for a terminal, else on one line. */
function openDocument(out: Writer) {
  const [end, fieldStart, itemStart, colon] = out.isTerminal
    ? ['\n', '\n  ', '\n    ', ': ']
    : (['', '', '', ':'] as const)
  const indented = (value: unknown, start: string) => jsonText(value, out.isTerminal).replaceAll('\n', start)
  const field = (name: string, value: unknown) =>
    `${fieldStart}${jsonText(name, false)}${colon}${indented(value, fieldStart)}`
  let count = -1
  return {
    /** The last token, which is written at the end. */
    nextToken: undefined as unknown,
    isEmpty: () => count < 0,
    /** Writes the fields beside the items, once. */
    async begin(rest: Readonly<Record<string, unknown>>): Promise<void> {
      if (count >= 0) return
      count = 0
      const fields = Object.entries(rest).map(([name, value]) => `${field(name, value)},`)
      await out.json(`{${fields.join('')}${fieldStart}"items"${colon}[`)
    },
    async add(items: readonly unknown[]): Promise<void> {
      const texts = items.map(
        (item, index) => (count + index > 0 ? ',' : '') + itemStart + indented(item, itemStart),
      )
      count += items.length
      await out.json(texts.join(''))
    },
    async end(): Promise<void> {
      if (count < 0) return
      const last = this.nextToken === undefined ? '' : `,${field('nextToken', this.nextToken)}`
      await out.json(`${count > 0 ? fieldStart : ''}]${last}${end}}\n`)
    },
  }
}
