import type { AccessibilityState, Statements } from '../../books/accessibility/index.ts'

/** How reports and tables name the states. */
export const stateNames: Readonly<Record<AccessibilityState, string>> = {
  unread: 'could not be read',
  undeclared: 'says nothing',
  contradictory: 'contradicts itself',
  incomplete: 'incomplete',
  declared: 'declared',
}

/** The same, of several books. */
export const groupNames: Readonly<Record<AccessibilityState, string>> = {
  ...stateNames,
  undeclared: 'say nothing',
  contradictory: 'contradict themselves',
}

/** The sections of the display guide in its order, with its titles. */
export const sections: readonly (readonly [keyof Statements, string])[] = [
  ['waysOfReading', 'Ways of reading'],
  ['conformance', 'Conformance'],
  ['navigation', 'Navigation'],
  ['richContent', 'Rich content'],
  ['hazards', 'Hazards'],
  ['accessibilitySummary', 'Accessibility summary'],
  ['legalConsiderations', 'Legal considerations'],
  ['additionalInformation', 'Additional accessibility information'],
]

/** Whether a statement says that nothing is known. */
export const saysNothing = (statement: string): boolean => /^No information\b/.test(statement)
