import { serialise } from '../exact-json.ts'
import { selectFields } from './fields.ts'
import { neutraliseJson } from './neutralise.ts'
import type { OutputOptions, Pages } from './view.ts'
import type { Writer } from './writer.ts'

const applyFields = (item: unknown, { fields }: OutputOptions): unknown =>
  fields ? selectFields(item, fields) : item

/** A JSON document: indented for a terminal, else on one line. */
export const jsonText = (value: unknown, isTerminal: boolean): string =>
  neutraliseJson(serialise(value, isTerminal ? 2 : undefined))

/** Prints an item as one JSON document. */
export async function jsonItem(out: Writer, options: OutputOptions, item: unknown): Promise<void> {
  await out.json(`${jsonText(await applyQuery(applyFields(item, options), options), out.isTerminal)}\n`)
}

/** Prints one array as its pages arrive. `--query` needs all pages first. */
export async function jsonList(out: Writer, options: OutputOptions, pages: Pages): Promise<void> {
  if (options.query !== undefined) {
    const all: unknown[] = []
    for await (const page of pages) for (const item of page) all.push(applyFields(item, options))
    return await out.json(`${jsonText(await applyQuery(all, options), out.isTerminal)}\n`)
  }
  let isFirst = true
  try {
    for await (const page of pages) {
      let text = ''
      for (const each of page) {
        const item = jsonText(applyFields(each, options), out.isTerminal)
        text += (isFirst ? '[\n' : ',\n') + (out.isTerminal ? item.replace(/^/gm, '  ') : item)
        isFirst = false
      }
      await out.json(text)
      if (out.isClosed) return
    }
    if (isFirst) await out.json('[]\n')
  } finally {
    // Also when a later page fails, so that the output is valid JSON.
    if (!isFirst) await out.json('\n]\n')
  }
}

/** Prints a line of JSON for each item as pages arrive. `--query` is applied to each item. */
export async function ndjsonList(out: Writer, options: OutputOptions, pages: Pages): Promise<void> {
  for await (const page of pages) {
    let text = ''
    for (const item of page) {
      const selected = applyFields(item, options)
      // Without a query nothing is awaited here, since that would take longer than printing the item.
      text += `${serialise(options.query === undefined ? selected : await applyQuery(selected, options))}\n`
    }
    await out.json(neutraliseJson(text))
    if (out.isClosed) return
  }
}

/** The result of `--query`, or the value itself without one. */
export async function applyQuery(value: unknown, { query }: OutputOptions): Promise<unknown> {
  if (query === undefined) return value
  const { search } = await import('./query.ts')
  return search(value, query)
}
