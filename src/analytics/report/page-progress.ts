import { figure, inBothWidths } from '../../pages/charts/frame.ts'
import { histogram } from '../../pages/charts/histogram.ts'
import { type Html, html } from '../../pages/html.ts'
import { badge, table } from '../../pages/parts.ts'
import type { Period } from '../../system/calendar.ts'
import { fewestReaders, type ProgressGroup, type ReaderProgress } from './progress-groups.ts'
import { number, percent, periodName } from './words.ts'

/** How far readers have come, in groups in which nobody can be recognised. */
export function progressSection({ readers, groups, unread }: ReaderProgress, period: Period): Html {
  const missing =
    unread > 0 &&
    html`<p>${badge('warn', 'Incomplete')} ${number(unread)} reader ${unread === 1 ? 'record' : 'records'} could not be read.</p>`
  if (readers === null) {
    return html`<section><h2 id="progress">How far readers have come</h2>${missing}
<p>Fewer than ${fewestReaders} readers with known progress read in these months. They are not shown, because they could be recognised.</p></section>`
  }
  const text = {
    id: 'progress',
    title: 'Readers by progress',
    description: `${number(readers)} readers by how much they have read of a book: ${groups.map(group => `${number(group.readers)} at ${rangeOf(group)}`).join(', ')}.`,
  }
  const drawn = inBothWidths(text, { wide: 880, narrow: 400 }, (own, { units }) =>
    histogram(
      own,
      groups.map(group => ({ ...group, count: group.readers })),
      { width: units, height: 300, xLabel: 'part of the book', yLabel: 'readers for each 10 %' },
    ),
  )
  const figures = table(
    { name: 'Readers by progress', caption: 'How many readers have come how far.' },
    [{ title: 'Part of the book' }, { title: 'Readers', isNumber: true }],
    groups.map(group => [rangeOf(group), number(group.readers)]),
  )
  return html`<section><h2 id="progress">How far readers have come</h2>${missing}
${figure(
  {
    caption: `${number(readers)} readers by their progress`,
    remark: `Each reader counts once, with the book read last in ${periodName(period)} and as far as is read today. Readers whose progress is not known are left out. No group has fewer than ${fewestReaders} readers, so some groups are wider; the number of readers stands above each.`,
  },
  drawn,
  figures,
)}</section>`
}

const rangeOf = ({ from, to }: ProgressGroup): string => `${percent(from)} to ${percent(to)}`
