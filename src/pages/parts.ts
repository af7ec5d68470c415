import { type Html, html, type PageValue } from './html.ts'

/** How good something is; pages also say it in words. */
export type Tone = 'bad' | 'warn' | 'good' | 'plain'

/** A word in a coloured box. */
export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`

/** Headline figures, such as how many books there are, each with what it is to be compared with. */
export const figures = (
  all: readonly { label: string; value: string | number; beside?: Html | undefined }[],
): Html =>
  html`<dl class="figures">${all.map(
    ({ label, value, beside }) =>
      html`<div><dt>${label}</dt><dd>${typeof value === 'number' ? value.toLocaleString('en') : value}</dd>${beside && html`<dd class="beside">${beside}</dd>`}</div>`,
  )}</dl>`

/** Links to the sections of a page, each with how many things are in it. Nothing for a page with one section. */
export const contents = (
  name: string,
  sections: readonly { id: string; title: string; count: number }[],
): Html | undefined =>
  sections.length < 2
    ? undefined
    : html`<nav aria-label="${name}"><ul class="contents">${sections.map(
        ({ id, title, count }) =>
          html`<li><a href="#${id}">${title} (${count.toLocaleString('en')})</a></li>`,
      )}</ul></nav>`

/** A list without bullets, for the cell of a table. Nothing if it is empty. */
export const plainList = (items: readonly PageValue[]): Html | undefined =>
  items.length === 0 ? undefined : html`<ul>${items.map(item => html`<li>${item}</li>`)}</ul>`

interface TableColumn {
  title: string
  isNumber?: boolean
  /** How much of the width it gets; with it, the tables of a page are aligned. */
  size?: 'small' | 'medium' | 'large'
}

/**
 * A table. The first cell of each row is its header, and `name` is what a screen reader calls it. A narrow screen scrolls it,
 * also by keyboard. A column in which no row has anything is left out.
 */
export function table(
  { name, caption }: { name: string; caption: string },
  columns: readonly TableColumn[],
  rows: readonly (readonly PageValue[])[],
): Html {
  const isSized = columns.some(({ size }) => size !== undefined)
  const cells = rows.map(row => columns.map((_, at) => html`${row[at]}`))
  const shown = columns.flatMap((column, at) =>
    at === 0 || cells.length === 0 || cells.some(row => row[at]?.isEmpty === false)
      ? [{ ...column, at }]
      : [],
  )
  const takesRest = shown.some(({ size }) => size === undefined) ? undefined : shown.length - 1
  const head = shown.map(
    ({ title, isNumber, size }, index) =>
      html`<th scope="col"${classes(isNumber && 'number', index !== takesRest && size)}>${title}</th>`,
  )
  const body = cells.map(
    row => html`<tr>${shown.map(({ isNumber, at }) => {
      if (at === 0) return html`<th scope="row">${row[at]}</th>`
      return isNumber ? html`<td class="number">${row[at]}</td>` : html`<td>${row[at]}</td>`
    })}</tr>
`,
  )
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table${classes(isSized && 'sized', isSized && shown.length > 2 && 'many')}>
<caption><span>${caption}</span></caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody>
</table></div>`
}

/** A class attribute, or nothing. */
function classes(...names: readonly (string | false | undefined)[]): Html | undefined {
  const given = names.filter(Boolean) as string[]
  return given.length === 0 ? undefined : html` class="${given.join(' ')}"`
}

/** A part of a whole, from 0 to 1, in per cent and as a bar. */
export const share = (part: number): Html =>
  magnitude(`${part > 0 && part < 0.01 ? '< 1' : Math.round(part * 100)} %`, part)

/** A number, and a bar that is a part of the longest one, from 0 to 1. */
export const magnitude = (text: string, part: number): Html =>
  html`<span class="share"><span>${text}</span>${bar(part)}</span>`

const bar = (part: number): Html =>
  html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${(
    Math.min(Math.max(part, 0), 1) * 100
  ).toFixed(1)}" height="8" rx="1"></rect></svg>`
