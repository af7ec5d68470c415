import { carriers, type Saying } from '../../books/rights/says.ts'
import type { RightsTopic } from '../../books/rights/topic.ts'
import type { Column, View } from '../../cli/output/view.ts'
import { rightsTopics, type TopicName, topicNames, verdictText } from './words.ts'

/** A topic's verdict in words, with what is said if that is one thing: `agrees: reserved`. */
const topicText = (value: unknown): string => {
  const topic = value as RightsTopic
  const text = verdictText(topic.verdict, topic.missingIn)
  const sayings = carriers.flatMap(carrier => topic[carrier] ?? []).filter(({ list }) => list === undefined)
  const [only, ...more] = new Set(sayings.map(saying => saying.value))
  return only === undefined || more.length > 0 ? text : `${text}: ${only}`
}

const sayingText = (value: unknown): string => {
  const { value: said, list, written } = value as Saying
  if (list !== undefined) return list === '196' ? said : `${list}:${said}`
  return written === undefined || /^[01]$/.test(written) ? said : `${said} (${written})`
}

const labelOf = (topic: TopicName): string =>
  topicNames[topic].replace(/^[A-Z](?=[a-z])/, first => first.toLowerCase())

const said = (topic: TopicName, carriers: readonly string[]): Column[] =>
  carriers.map(carrier => ({
    field: `rights.${topic}.${carrier}`,
    label: `${labelOf(topic)}: ${carrier}`,
    textOf: sayingText,
  }))

/** The columns of CSV, and of the CSV report. */
export const rightsColumns: readonly Column[] = [
  { field: 'file', isPath: true },
  { field: 'type' },
  { field: 'title', isMain: true },
  { field: 'isbn', isCutLast: true },
  { field: 'rights.verdict', label: 'verdict' },
  ...rightsTopics.flatMap((topic): Column[] => [
    { field: `rights.${topic}`, label: labelOf(topic), textOf: topicText },
    ...said(topic, topic === 'tdm' ? ['file', 'feed', 'site'] : ['file', 'feed']),
    ...(topic === 'tdm' ? [{ field: 'rights.tdm.policies.value', label: 'policies' }] : []),
  ]),
  { field: 'rights.record.place', label: 'record', isPath: true },
  { field: 'rights.record.declared.onSaleDate', label: 'on sale' },
  { field: 'rights.contradictions.message', label: 'contradictions' },
  { field: 'rights.unknownValues.value', label: 'unknown values' },
]

const tableColumns: readonly Column[] = [
  { field: 'file', isPath: true },
  { field: 'title', isMain: true },
  ...rightsTopics.map(
    (topic): Column => ({
      field: `rights.${topic}`,
      label: topic === 'tdm' ? 'TDM' : labelOf(topic),
      textOf: topicText,
      isCutLast: topic === 'tdm',
      isMinor: topic !== 'tdm',
    }),
  ),
]

/** What a terminal says in lines of their own below the card of a book. */
const inRemarks = ['rights.contradictions.message', 'rights.unknownValues.value']

const columns = {
  all: rightsColumns,
  table: tableColumns,
  card: rightsColumns.filter(({ field }) => !inRemarks.includes(field)),
}

/** What `inspect --rights` shows, with columns for CSV, a table or a card with remarks below it. */
export const rightsView = (kind: keyof typeof columns, fields: View['fields']): View => ({
  columns: columns[kind],
  fields: () => new Set([...fields(), 'rights', 'rights.*']),
})
