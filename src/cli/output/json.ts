import { serialise } from '../../system/exact-json.ts'
import { selectFields } from './fields.ts'
import { neutraliseJson } from './neutralise.ts'
import type { FieldQuery } from './query.ts'
import type { OutputOptions, Pages } from './view.ts'
import type { Writer } from './writer.ts'

/** What `--fields` selects of an item. */
export const applyFields = (item: unknown, { fields }: OutputOptions): unknown =>
  fields ? selectFields(item, fields) : item

/** A JSON document: indented for a terminal, else on one line. */
export const jsonText = (value: unknown, isTerminal: boolean): string =>
  neutraliseJson(serialise(value, isTerminal ? 2 : undefined))

/** Prints an item as one JSON document. */
export async function jsonItem(out: Writer, options: OutputOptions, item: unknown): Promise<void> {
  await out.json(`${jsonText(await applyQuery(applyFields(item, options), options), out.isTerminal)}\n`)
}

/**
 * Prints one array as its pages arrive; with `--envelope`, within an object that has the commands to go on with as well.
 * `--query` needs all pages first.
 */
export async function jsonList(
  out: Writer,
  options: OutputOptions,
  pages: Pages,
  nextOf: (first: unknown) => readonly string[] | undefined = () => undefined,
): Promise<void> {
  const before = options.next === undefined ? '' : '{"items":'
  let first: unknown
  const after = () => (options.next === undefined ? '' : `,"next":${jsonText(nextOf(first) ?? [], false)}}`)
  if (options.query !== undefined) {
    const all: unknown[] = []
    for await (const page of pages)
      for (const item of page) {
        first ??= item
        all.push(applyFields(item, options))
      }
    const result = jsonText(await applyQuery(all, options), out.isTerminal)
    return await out.json(`${before}${result}${after()}\n`)
  }
  let isFirst = true
  try {
    for await (const page of pages) {
      let text = ''
      for (const each of page) {
        const item = jsonText(applyFields(each, options), out.isTerminal)
        first ??= each
        text += (isFirst ? `${before}[\n` : ',\n') + (out.isTerminal ? item.replace(/^/gm, '  ') : item)
        isFirst = false
      }
      await out.json(text)
      if (out.isClosed) return
    }
    if (isFirst) await out.json(`${before}[]${after()}\n`)
  } finally {
    // Also when a later page fails, so that the output is valid JSON.
    if (!isFirst) await out.json(`\n]${after()}\n`)
  }
}

/** The result of `--query`, or the value itself without one. Says which fields it names are nowhere in the value. */
export async function applyQuery(value: unknown, options: OutputOptions): Promise<unknown> {
  const query = await queryOf(options)
  if (query === undefined) return value
  const result = query.search(value)
  await query.tellMissing()
  return result
}

/** The `--query`, if there is one. */
export const queryOf = async (options: OutputOptions): Promise<FieldQuery | undefined> =>
  options.query === undefined ? undefined : (await import('./query.ts')).openQuery(options.query, options)
