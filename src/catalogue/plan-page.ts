import { differingTexts } from '../cli/output/difference-text.ts'
import { cutValue } from '../pages/cut-value.ts'
import { type Html, html, type PageValue } from '../pages/html.ts'
import { page } from '../pages/page.ts'
import { badge, contents, figures, plainList, table } from '../pages/parts.ts'
import { timeLabel } from '../pages/time-label.ts'
import { actions, actionsWith, type PlanAction, undecidedActions } from '../plan/actions.ts'
import type { Difference } from '../plan/difference.ts'
import type { PlanHeader, PlanStep } from '../plan/plan-step.ts'
import { checkersSentence } from '../system/checked-by.ts'

/** The actions whose steps a page lists; what people have to settle comes first. */
export const listedActions = [
  ...undecidedActions,
  ...actionsWith(({ title, carriedOutBy }) => title !== null && carriedOutBy !== 'people'),
]

/** The most steps of a group that a page shows: nobody reads more, and the plan itself has them all. */
export const mostShown = 1000

/** A plan as a self-contained page. `steps` are those whose actions are listed; `hide` removes secrets. */
export function planPage(
  { counts, sources, baseUrl, scopeId, made, unread, notReadYet, pubctl }: PlanHeader,
  steps: Iterable<PlanStep>,
  hide: <T>(value: T) => T,
): string {
  const groups = new Map<PlanAction, { rows: PageValue[][]; count: number }>()
  for (const step of steps) {
    const group = groups.get(step.action) ?? { rows: [], count: 0 }
    groups.set(step.action, group)
    group.count++
    if (group.rows.length < mostShown) group.rows.push(rowOf(hide(step)))
  }
  const names = sources.slice(0, 3).map(({ path }) => hide(path))
  const listed = listedActions.filter(action => groups.has(action))
  const counted = actionsWith(({ title }) => title === null)
  return page({
    title: 'Plan of the catalogue',
    lead: html`What would make ${hide(baseUrl)} equal to <b>${cutValue(names.join(', '))}</b>${sources.length > names.length && ' and others'}, planned on ${timeLabel(new Date(made))}${scopeId !== null && html`, for the organisation ${scopeId}`}. Nothing has been changed yet, and nothing is ever deleted.`,
    body: html`${figures([
      ...listed.map(action => ({
        label: titleOf(action).toLowerCase(),
        value: counts[action] ?? groups.get(action)?.count ?? 0,
      })),
      ...counted.flatMap(action => {
        const value = counts[action]
        return value === undefined ? [] : [{ label: titleOf(action), value }]
      }),
    ])}
${unread > 0 && html`<p>${badge('warn', 'Incomplete')} ${unread.toLocaleString('en')} ${unread === 1 ? 'publication' : 'publications'} of the service could not be read, so books are recognised among them by their titles only.</p>`}
${notReadYet > 0 && html`<p>${badge('plain', 'Not read yet')} ${notReadYet.toLocaleString('en')} ${notReadYet === 1 ? 'publication' : 'publications'} of the service, because no book of the sheets and messages can be one of them by its ISBN, title or content. Which of them are in no sheet or message is not known. Later plans read more of them.</p>`}
${contents(
  'Groups of steps',
  listed.map(action => ({ id: action, title: titleOf(action), count: groups.get(action)?.count ?? 0 })),
)}
${listed.length === 0 && html`<p>There is nothing to do.</p>`}
${listed.map(action => section(action, groups.get(action)))}`,
    footer: html`To carry it out, write the plan with <code>--out plan.ndjson</code> and run <code>pubctl catalogue apply plan.ndjson</code>. Made by pubctl ${pubctl} with <code>pubctl catalogue plan</code>.`,
  })
}

/** The heading of the steps of an action, or what is said of those that are only counted. */
const titleOf = (action: PlanAction): string => actions[action].title ?? `${actions[action].phrase}`

function section(action: PlanAction, group: { rows: PageValue[][]; count: number } | undefined): Html {
  const [title, text] = [titleOf(action), actions[action].meaning]
  const { rows, count } = group ?? { rows: [], count: 0 }
  const beyond =
    count > rows.length
      ? ` These are the first ${rows.length.toLocaleString('en')} of ${count.toLocaleString('en')}; the plan that --out writes has all.`
      : ''
  return html`<section><h2 id="${action}">${title} (${count.toLocaleString('en')})</h2>
${table(
  { name: title, caption: `${text}${beyond}` },
  [
    { title: 'Book', size: 'large' },
    { title: undecidedActions.includes(action) ? 'What is wrong' : 'Why', size: 'large' },
    { title: 'What differs', size: 'large' },
    { title: 'Publication', size: 'medium' },
  ],
  rows,
)}</section>`
}

function rowOf({
  action,
  title,
  key,
  file,
  why,
  hint,
  warnings = [],
  checkedBy,
  differences,
  publicationId,
  from,
  author,
}: PlanStep): PageValue[] {
  const tone = undecidedActions.includes(action) ? 'warn' : 'plain'
  return [
    html`<bdi>${cutValue(title ?? key ?? publicationId ?? '–')}</bdi>${[
      author?.join(', ') ?? '',
      title === null || key?.startsWith('sha256:') ? null : key,
      file,
      sourceText(from),
    ].map(
      text => text !== null && text !== '' && html`<span class="file">${cutValue(String(text))}</span>`,
    )}`,
    html`${cutValue(why)}${hint !== null && html`<span class="file">${badge(tone, 'To do')} ${cutValue(hint)}</span>`}${warnings.map(({ message }) => html`<span class="file">${badge('warn', 'Warning')} ${cutValue(message)}</span>`)}${checkersSentence([{ checkedBy }]).map(text => html`<span class="file">${cutValue(text)}</span>`)}`,
    plainList((differences ?? []).map(differenceLine)),
    publicationId ?? '',
  ]
}

/** A field with its value at the service and the wanted one, and what was sent last if that is another. */
function differenceLine(difference: Difference): Html {
  const values = differingTexts(difference, longestValue)
  return html`${cutValue(fieldWords.get(difference.field) ?? difference.field)}${values.map(([name, text]) => html`<span class="file">${name}: <bdi>${text ?? 'nothing'}</bdi></span>`)}`
}

/** What people call fields whose names are those of programs. */
const fieldWords: ReadonlyMap<string, string> = new Map([
  ['sampleItems', 'samples'],
  ['isForInternalReadingInstance', 'for the internal reading instance only'],
])

/** The longest value of a difference, in UTF-16 code units. */
const longestValue = 200

/** Where a step comes from; nothing for a file, which is named anyway. */
function sourceText(from: PlanStep['from']): string | null {
  if (from === null || 'file' in from) return null
  return 'sheet' in from ? `${from.sheet}, ${from.row}` : `${from.onix}, line ${from.line}`
}
