import { type Html, html } from '../html.ts'

/** What a screen reader says of a chart. `id` is unique on the page. */
export interface ChartText {
  readonly id: string
  readonly title: string
  /** What the chart shows, in a sentence or two. */
  readonly description: string
}

interface Size {
  readonly width: number
  readonly height: number
  /** A class of its style. */
  readonly kind?: 'spark'
}

/** A chart: an image with a title and a description. Lengths are in units of its own; a digit is about seven wide. */
export const chart = (
  { id, title, description }: ChartText,
  { width, height, kind }: Size,
  body: Html,
): Html =>
  html`<svg class="${kind ?? 'chart'}" viewBox="0 0 ${round(width)} ${round(height)}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>${body}</svg>`

/** How wide a chart is drawn, in its units: on a wide screen and on paper, and on a narrow screen. */
export interface Width {
  readonly name: 'wide' | 'narrow'
  readonly units: number
}

/** Draws a chart for wide and for narrow screens; the page shows one of the two. */
export const inBothWidths = (
  text: ChartText,
  { wide, narrow }: { wide: number; narrow: number },
  draw: (text: ChartText, width: Width) => Html,
): Html =>
  html`<div class="wide">${draw({ ...text, id: `${text.id}-wide` }, { name: 'wide', units: wide })}</div><div class="narrow">${draw({ ...text, id: `${text.id}-narrow` }, { name: 'narrow', units: narrow })}</div>`

/** A length with at most one decimal place, to keep pages small. */
export const round = (length: number): number => Math.round(length * 10) / 10

/** A chart, its heading, a remark, and its figures in a table that people open. */
export const figure = (
  { caption, remark }: { caption: Html | string; remark?: Html | string | undefined },
  drawing: Html,
  figures: Html,
): Html =>
  html`<figure><figcaption>${caption}</figcaption>${drawing}${remark !== undefined && html`<p class="quiet">${remark}</p>`}${opened('The figures', figures)}</figure>`

/** Something that people open, such as a table of figures. */
export const opened = (summary: string, content: Html): Html =>
  html`<details><summary>${summary}</summary>${content}</details>`
