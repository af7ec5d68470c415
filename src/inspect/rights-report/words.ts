import { type Verdict, verdicts } from '../../books/rights/topic.ts'

/** What the rights of a file are found to be, the worst first. */
export const rightsStates = ['unread', ...verdicts] as const
export type RightsState = (typeof rightsStates)[number]

/** How reports and tables name the verdicts on one book. */
const stateNames: Readonly<Record<RightsState, string>> = {
  unread: 'could not be read',
  contradicts: 'contradicts',
  missing: 'missing',
  agrees: 'agrees',
  stated: 'stated',
  silent: 'says nothing',
}

/** The same in sums, of one book and of several. */
export const oneName: Readonly<Record<RightsState, string>> = {
  unread: 'could not be read',
  contradicts: 'contradicts',
  missing: 'is not complete',
  agrees: 'agrees',
  stated: 'is stated in one place',
  silent: 'says nothing',
}
export const severalNames: Readonly<Record<RightsState, string>> = {
  unread: 'could not be read',
  contradicts: 'contradict',
  missing: 'are not complete',
  agrees: 'agree',
  stated: 'are stated in one place',
  silent: 'say nothing',
}

/** The rightsTopics in their order, with what they are called. */
export const topicNames = {
  tdm: 'Text and data mining',
  accessibility: 'Accessibility',
  narration: 'Narration',
  ai: 'AI',
} as const
export type TopicName = keyof typeof topicNames
export const rightsTopics = Object.keys(topicNames) as TopicName[]

/** A verdict in words, such as `missing in feed`. */
export const verdictText = (verdict: Verdict, missingIn: readonly string[]): string =>
  verdict === 'missing' ? `missing in ${missingIn.join(', ')}` : stateNames[verdict]
