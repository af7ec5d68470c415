import { monthLabel } from '../../pages/charts/month-label.ts'
import { type Html, html } from '../../pages/html.ts'
import { countMonths, type Period } from '../../system/calendar.ts'
import type { FigureOrNull, ReadFigure, ScopeCounter } from './figures.ts'

/** What the page calls the counts of the service. */
export const scopeNames: { readonly [name in ScopeCounter]: string } = {
  publicationsRead: 'publications read',
  totalViews: 'views',
  activeReaders: 'active readers',
}

export const readNames: { readonly [name in ReadFigure]: string } = {
  totalReads: 'Reads',
  averageReadTimeMs: 'Average read time',
  averageCompletion: 'Average completion',
  completionRate: 'Completion rate',
}

/** "January to October 2026", "March 2025 to February 2026" or "May 2026". */
export function periodName({ from, to }: Period): string {
  if (from === to) return monthLabel(from)
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  const first = isOneYear ? monthLabel(from).replace(/ \d+$/, '') : monthLabel(from)
  return `${first} to ${monthLabel(to)}`
}

/** "the 10 months before", "the month before". */
export function beforeName(period: Period): string {
  const count = countMonths(period)
  return count === 1 ? 'the month before' : `the ${count} months before`
}

/** What stands for a figure that is not there. */
const none = '–'

export const number = (value: FigureOrNull | undefined): string => value?.toLocaleString('en') ?? none

/** A part of 1 in per cent. */
export const percent = (part: FigureOrNull | undefined): string =>
  part === null || part === undefined
    ? none
    : `${(part * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`

export function changed(change: FigureOrNull, before: FigureOrNull | undefined): Html {
  if (before === null || before === undefined) return html`<span class="same">${none}</span>`
  if (change === null) return html`<span class="same">from 0</span>`
  // As it is shown, with one decimal place of a per cent.
  const rounded = Math.round(change * 1000)
  const [kind, sign] = rounded > 0 ? ['up', '+'] : rounded < 0 ? ['down', '−'] : ['same', '±']
  return html`<span class="${kind}">${sign}${percent(Math.abs(change))}</span> <span class="from">from ${number(before)}</span>`
}

/** A list of things as people write it: "a, b and c". */
export const inWords = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
