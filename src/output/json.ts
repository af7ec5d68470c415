import { cut } from './fields.ts'
import { neutraliseJson } from './neutralise.ts'
import { serialise } from './serialise.ts'
import type { Choice, Pages } from './view.ts'
import type { Writer } from './writer.ts'

const trim = (item: unknown, { fields }: Choice): unknown => (fields ? cut(item, fields) : item)

/** One document: indented for a person at a terminal, on one line for a pipe. */
export const jsonText = (value: unknown, isTerminal: boolean): string =>
  neutraliseJson(serialise(value, isTerminal ? 2 : undefined))

export async function jsonItem(out: Writer, choice: Choice, item: unknown): Promise<void> {
  await out.json(`${jsonText(await asked(trim(item, choice), choice), out.isTerminal)}\n`)
}

/** One array, printed as its pages arrive; a query needs the whole of it first. */
export async function jsonList(out: Writer, choice: Choice, pages: Pages): Promise<void> {
  if (choice.query !== undefined) {
    const all: unknown[] = []
    for await (const page of pages) for (const item of page) all.push(trim(item, choice))
    return await out.json(`${jsonText(await asked(all, choice), out.isTerminal)}\n`)
  }
  let isFirst = true
  try {
    for await (const page of pages) {
      let text = ''
      for (const each of page) {
        const item = jsonText(trim(each, choice), out.isTerminal)
        text += (isFirst ? '[\n' : ',\n') + (out.isTerminal ? item.replace(/^/gm, '  ') : item)
        isFirst = false
      }
      await out.json(text)
      if (out.isClosed) return
    }
    if (isFirst) await out.json('[]\n')
  } finally {
    // Also where a later page fails: what was printed until then is still one document.
    if (!isFirst) await out.json('\n]\n')
  }
}

/** A line an item, as pages arrive; a query is asked of each item. */
export async function ndjsonList(out: Writer, choice: Choice, pages: Pages): Promise<void> {
  for await (const page of pages) {
    let text = ''
    for (const item of page) {
      const trimmed = trim(item, choice)
      // Waiting for each of very many items would take longer than printing them.
      text += `${serialise(choice.query === undefined ? trimmed : await asked(trimmed, choice))}\n`
    }
    await out.json(neutraliseJson(text))
    if (out.isClosed) return
  }
}

/** What is left of a value after `--query`. */
export async function asked(value: unknown, { query }: Choice): Promise<unknown> {
  if (query === undefined) return value
  const { search } = await import('./query.ts')
  return search(value, query)
}
