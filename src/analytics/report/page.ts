import { dayLabel, monthLabel } from '../../pages/charts/month-label.ts'
import { type Html, html } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { badge, figures } from '../../pages/parts.ts'
import { type AnalyticsReport, scopeCounters } from './figures.ts'
import { activitySections } from './page-activity.ts'
import { monthsSection } from './page-months.ts'
import { progressSection } from './page-progress.ts'
import { completionSection, titlesSection } from './page-titles.ts'
import { beforeName, changed, inWords, periodName, scopeNames } from './words.ts'

/** A report as a self-contained page. `program` is the name and version of what made it. */
export function reportPage(report: AnalyticsReport, program: string): string {
  const { period, periodBefore, runningMonth, totals, before, change, unread, titles } = report
  const failed = titles.filter(({ error }) => error !== null).length
  return page({
    title: `What was read, ${periodName(period)}`,
    lead: html`Views, readers and titles${periodBefore !== null && html`, compared with ${beforeName(period)}, ${periodName(periodBefore)}`}. Made on ${dayLabel(report.madeAtIso.slice(0, 10))}.${runningMonth !== null && html` <b>${monthLabel(runningMonth)} is not over</b>, so its figures will still grow, and the changes compare it with a whole month.`}`,
    hasCharts: true,
    body: html`${figures(
      scopeCounters.map(name => ({
        label: scopeNames[name],
        value: totals[name] ?? '–',
        beside: periodBefore ? changed(change[name], before?.[name]) : undefined,
      })),
    )}
${missing(unread, failed)}
${monthsSection(report)}
${titlesSection(report)}
${completionSection(report)}
${activitySections(report)}
${report.progress !== null && progressSection(report.progress, period)}`,
    footer: html`Views, reads and readers are what the publishing service counts; views and reads are two counts that need not agree. Months and days are those of UTC. Made by ${program}.`,
  })
}

/** What the page lacks, said at its top. */
function missing(unread: AnalyticsReport['unread'], failed: number): Html | undefined {
  const all = [
    ...(failed > 0 ? [`figures of ${failed} ${failed === 1 ? 'title' : 'titles'}`] : []),
    ...unread.map(({ what }) => what),
  ]
  return all.length === 0
    ? undefined
    : html`<p>${badge('warn', 'Incomplete')} The service did not give the ${inWords(all.map(each => each.replace(/^the /, '')))}.</p>`
}
