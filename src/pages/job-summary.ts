import { neutraliseLine } from '../cli/output/neutralise.ts'
import { cutText } from '../system/cut-text.ts'
import { type Html, html } from './html.ts'

/** The most that GitHub shows of the summaries of a step, in bytes. */
export const summaryLimit = 1024 * 1024

/** What a job summary says. */
export interface JobSummary {
  readonly title: string
  /** Sentences above the table. */
  readonly lead: readonly string[]
  readonly columns: readonly string[]
  /** The most important ones first; a text from outside has to be in `quoted`. */
  readonly rows: Iterable<readonly (string | Html)[]>
  /** How many rows there are. */
  readonly count: number
}

/** The longest text of a cell, in UTF-16 code units. */
const longestCell = 500

/**
 * A text from outside. Within `code` in a block of HTML nothing in it is Markdown, a mention, a link or a sign, whatever it
 * says.
 */
export const asCode = (text: string | null | undefined): string | Html =>
  text ? html`<code>${neutraliseLine(cutText(text, longestCell))}</code>` : ''

/**
 * A job summary as a block of HTML, which is Markdown as well, of at most `room` bytes. It ends with a row that says how many
 * rows are left out for that. Undefined if there is no room for anything.
 */
export function jobSummary(
  { title, lead, columns, rows, count }: JobSummary,
  room: number,
): string | undefined {
  // A blank line would end the block, so there is none within it.
  const start = `\n<h3>${html`${title}`}</h3>\n${lead.map(text => `<p>${html`${neutraliseLine(text)}`}</p>\n`).join('')}`
  const head = `<table>\n<tr>${html`${columns.map(name => html`<th>${name}</th>`)}`}</tr>\n`
  const end = '</table>\n\n'
  const leftOut = (left: number) =>
    `<tr><td colspan="${columns.length}">${left} more are left out, because GitHub shows 1 MiB at most.</td></tr>\n`
  let left = room - bytesOf(start + head + leftOut(count) + end)
  if (left < 0) return undefined
  if (count === 0) return `${start}\n`
  const parts: string[] = []
  for (const cells of rows) {
    const row = `<tr>${html`${cells.map(cell => html`<td>${cell}</td>`)}`}</tr>\n`
    left -= bytesOf(row)
    if (left < 0) return start + head + parts.join('') + leftOut(count - parts.length) + end
    parts.push(row)
  }
  return start + head + parts.join('') + end
}

const bytesOf = (text: string): number => Buffer.byteLength(text)
