import { plain } from './cell.ts'
import { checkFields, pick } from './fields.ts'
import { applyQuery, jsonItem, jsonList } from './json.ts'
import { neutralise } from './neutralise.ts'
import {
  type Answers,
  type Column,
  columnsFor,
  inChunks,
  isId,
  namedFields,
  type OutputOptions,
  type Pages,
  type Series,
  type View,
  wholeText,
} from './view.ts'
import type { Writer } from './writer.ts'

/** Prints results on stdout in the chosen format. */
export interface Presenter {
  /** Throws UsageFailure for invalid `--fields` or `--query`. Called before any request is made. */
  check(view: View): Promise<void>
  item(view: View, item: unknown): Promise<void>
  /** Prints a value without a view as JSON, or the result of `--query`. */
  json(value: unknown): Promise<void>
  list(view: View, pages: Pages): Promise<void>
  /**
   * Prints the answers of a listing without a view, as they arrive: one JSON document; in NDJSON a line for each item;
   * in CSV the columns that `--fields` names.
   */
  answers(view: View, answers: Answers): Promise<void>
}

/** Prints with a writer that a long table can be given to a screen at a time. */
export type Paged = (out: Writer, print: (out: Writer) => Promise<void>) => Promise<void>

/** A presenter that writes to `out`. Tables at a terminal are printed by means of `paged`. */
export function createPresenter(
  out: Writer,
  given: OutputOptions,
  paged: Paged = (writer, print) => print(writer),
): Presenter {
  const isPlainQuery = given.query !== undefined && given.format === 'table'
  const optionsFor = (view: View): OutputOptions => ({
    ...given,
    fields: given.fields && namedFields(view, given.fields),
    declared: view.fields,
  })
  const presenter: Presenter = {
    async check(view) {
      const options = optionsFor(view)
      if (options.fields) checkFields(options.fields, view.fields())
      if (options.query !== undefined) (await import('./query.ts')).checkQuery(options.query)
    },

    async json(value) {
      await (isPlainQuery
        ? printQueryResult(out, await applyQuery(value, given))
        : jsonItem(out, given, value))
    },

    async item(view, item) {
      const options = optionsFor(view)
      if (isPlainQuery) return await printQueryResult(out, await applyQuery(item, options))
      if (options.format === 'json') return await jsonItem(out, options, item)
      if (options.format === 'ndjson') return await ndjson(out, options, [[item]])
      const series = view.series && elementsOf(view.series, item) ? view.series : undefined
      if (options.format === 'csv') {
        const { columns, rowsOf } = asRows(view, series, options, true)
        return await (await import('./csv.ts')).printCsv(out, columns, [rowsOf(item)])
      }
      if (out.isTerminal) {
        const { printCard, printTable } = await import('./table.ts')
        const card = columnsFor(view, options, true)
        await printCard(out, card.some(({ isFirst }) => isFirst) ? forPeople(card, options) : card, item)
        if (!series || options.fields || elementsOf(series, item)?.length === 0) return
        await out.write('\n')
        await printTable(out, series.columns, [rowsOfSeries(series, item)], '')
        return
      }
      const { columns, rowsOf } = asRows(view, series, options, false)
      await printTsv(out, columns, [rowsOf(item)])
    },

    async list(view, items) {
      const options = optionsFor(view)
      const pages = chunksOf(items)
      if (isPlainQuery) {
        const all: unknown[] = []
        for await (const page of pages) for (const item of page) all.push(item)
        return await printQueryResult(out, await applyQuery(all, options))
      }
      if (options.format === 'json')
        return await jsonList(out, options, pages, first => options.next?.(view, first))
      if (options.format === 'ndjson') return await ndjson(out, options, pages)
      const { columns, rowsOf } = asRows(view, view.series, options, false)
      const rows = view.series ? rowsIn(pages, rowsOf) : pages
      if (options.format === 'csv') return await (await import('./csv.ts')).printCsv(out, columns, rows)
      if (out.isTerminal) {
        const { printTable } = await import('./table.ts')
        let left: readonly string[] = []
        await paged(out, async writer => {
          left = await printTable(writer, forPeople(columns, options), rows, view.empty)
        })
        if (left.length > 0) await options.onNarrow?.(left)
        return
      }
      await printTsv(out, columns, rows)
    },

    async answers(view, answers) {
      const options = optionsFor(view)
      const isOfItems = options.format === 'ndjson' || (options.format === 'csv' && options.fields)
      if (isOfItems) return await presenter.list(view, itemsOf(answers))
      const { allAnswers, jsonAnswers } = await import('./json-answers.ts')
      await (isPlainQuery ? presenter.json(await allAnswers(answers)) : jsonAnswers(out, options, answers))
    },
  }
  return presenter
}

/**
 * The columns as people read them, with ids last. Columns that `--fields` names, and those that are piped, keep their places.
 */
function forPeople(columns: readonly Column[], { fields }: OutputOptions): readonly Column[] {
  if (fields || !columns.some(({ isMain }) => isMain)) return columns
  const place = (column: Column) => (column.isFirst ? 0 : isId(column) ? 2 : 1)
  return columns.toSorted((one, other) => place(one) - place(other))
}

async function ndjson(out: Writer, options: OutputOptions, pages: Pages): Promise<void> {
  await (await import('./ndjson.ts')).ndjsonList(out, options, pages)
}

async function* chunksOf(pages: Pages): AsyncGenerator<readonly unknown[]> {
  for await (const page of pages) yield* inChunks(page)
}

async function* rowsIn(
  pages: AsyncIterable<readonly unknown[]>,
  rowsOf: (item: unknown) => readonly unknown[],
): AsyncGenerator<readonly unknown[]> {
  for await (const page of pages) yield page.flatMap(rowsOf)
}

async function* itemsOf(answers: Answers): AsyncGenerator<readonly unknown[]> {
  for await (const { items } of answers) yield Array.isArray(items) ? items : []
}

/** Prints the result of `--query` for people and shell scripts: a line for each value, strings without quotes, objects as JSON. */
async function printQueryResult(out: Writer, result: unknown): Promise<void> {
  const values = Array.isArray(result) ? result : result === null || result === undefined ? [] : [result]
  for (const value of values) await out.write(`${plain(value).replace(/\n/g, ' ')}\n`)
}

/**
 * The columns of CSV or TSV, and a record as its rows. With a series, those are a row for each element, with the record's own
 * columns first. Without, or with `--fields` that name nothing of the series, a record is a single row.
 */
function asRows(
  view: View,
  series: Series | undefined,
  options: OutputOptions,
  isCard: boolean,
): { columns: readonly Column[]; rowsOf: (item: unknown) => readonly unknown[] } {
  const own = columnsFor(view, options, isCard)
  if (!series) return { columns: own, rowsOf: item => [item] }
  const columns = options.fields ? own : [...own, ...series.columns]
  const isNamed = columns.some(({ field }) => field.startsWith(`${series.rows}.`))
  return { columns, rowsOf: item => (isNamed ? rowsOfSeries(series, item) : [item]) }
}

/** The elements of a series in an item; undefined if it has none, contrary to the service's document or by choice. */
function elementsOf({ rows }: Series, item: unknown): readonly unknown[] | undefined {
  const elements = pick(item, rows.split('.'))
  return Array.isArray(elements) ? elements : undefined
}

/** The record once for each element of its series, with that element alone. An empty series gives the record itself. */
function rowsOfSeries(series: Series, item: unknown): readonly unknown[] {
  const elements = elementsOf(series, item) ?? []
  const path = series.rows.split('.')
  return elements.length > 0 ? elements.map(element => withValue(item, path, element)) : [item]
}

/** A copy of a record with another value at a path that is in it. */
function withValue(record: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const fields = record as Readonly<Record<string, unknown>>
  return { ...fields, [name]: rest.length === 0 ? value : withValue(fields[name], rest, value) }
}

const textOf = (item: unknown, column: Column): string =>
  wholeText(pick(item, column.field.split('.')), column)

/** Escapes tabs, line feeds and backslashes as `\t`, `\n` and `\\`, so that each item is one line. */
const escapeTsv = (text: string): string =>
  neutralise(
    text
      .replace(/\\/g, '\\\\')
      .replace(/\t/g, '\\t')
      .replace(/\r?\n|\r/g, '\\n'),
  )

/** Prints tab-separated lines without a header: what a pipe gets instead of a table. */
async function printTsv(out: Writer, columns: readonly Column[], pages: Pages): Promise<void> {
  for await (const page of pages) {
    const rows = page.map(item => columns.map(column => escapeTsv(textOf(item, column))).join('\t'))
    await out.escaped(rows.map(row => `${row}\n`).join(''))
    if (out.isClosed) return
  }
}
