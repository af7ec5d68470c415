import { plain } from './cell.ts'
import { checkFields } from './fields.ts'
import { asked, jsonItem, jsonList, ndjsonList } from './json.ts'
import { asRows } from './series-rows.ts'
import { type Choice, columnsFor, type Pages, type View } from './view.ts'
import type { Writer } from './writer.ts'

/** Shows results on stdout in the format that was chosen. */
export interface Presenter {
  /** Throws a usage failure when `--fields` or `--query` do not fit, before any request is made. */
  check(view: View): Promise<void>
  item(view: View, item: unknown): Promise<void>
  /** A value that has no view: always JSON, or what the query finds in it. */
  json(value: unknown): Promise<void>
  list(view: View, pages: Pages): Promise<void>
}

export function createPresenter(out: Writer, choice: Choice): Presenter {
  const isPlainQuery = choice.query !== undefined && choice.format === 'table'
  return {
    async check(view) {
      if (choice.fields) checkFields(choice.fields, view.fields())
      if (choice.query !== undefined) (await import('./query.ts')).checkQuery(choice.query)
    },

    async json(value) {
      await (isPlainQuery ? printAnswer(out, await asked(value, choice)) : jsonItem(out, choice, value))
    },

    async item(view, item) {
      if (isPlainQuery) return await printAnswer(out, await asked(item, choice))
      if (choice.format === 'json') return await jsonItem(out, choice, item)
      if (choice.format === 'ndjson') return await ndjsonList(out, choice, [[item]])
      if (choice.format === 'csv') {
        const { columns, rows } = asRows(view, choice, item, true)
        return await (await import('./comma-separated.ts')).commaSeparated(out, columns, [rows])
      }
      if (out.isTerminal) {
        await (await import('./table.ts')).printCard(out, columnsFor(view, choice, true), item)
        if (view.series && !choice.fields)
          await (await import('./series.ts')).printSeries(out, view.series, item)
        return
      }
      const { columns, rows } = asRows(view, choice, item, false)
      await (await import('./tab-separated.ts')).tabSeparated(out, columns, [rows])
    },

    async list(view, whole) {
      const pages = inParts(whole)
      if (isPlainQuery) {
        const all: unknown[] = []
        for await (const page of pages) for (const item of page) all.push(item)
        return await printAnswer(out, await asked(all, choice))
      }
      if (choice.format === 'json') return await jsonList(out, choice, pages)
      if (choice.format === 'ndjson') return await ndjsonList(out, choice, pages)
      const columns = columnsFor(view, choice, false)
      if (choice.format === 'csv')
        return await (await import('./comma-separated.ts')).commaSeparated(out, columns, pages)
      if (out.isTerminal)
        return await (await import('./table.ts')).printTable(out, columns, pages, view.empty)
      await (await import('./tab-separated.ts')).tabSeparated(out, columns, pages)
    },
  }
}

/** As many items as are turned into text at a time, so that a page of any length is printed in little memory. */
const partLength = 1000

async function* inParts(pages: Pages): AsyncGenerator<readonly unknown[]> {
  for await (const page of pages)
    for (let start = 0; start < page.length; start += partLength) yield page.slice(start, start + partLength)
}

/** What a query found, for people and shell scripts: a value a line without quotes, objects as JSON. */
async function printAnswer(out: Writer, answer: unknown): Promise<void> {
  const values = Array.isArray(answer) ? answer : answer === null || answer === undefined ? [] : [answer]
  for (const value of values) await out.write(`${plain(value).replace(/\n/g, ' ')}\n`)
}
