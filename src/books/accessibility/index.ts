import type {
  AccessibilityFacts,
  AccessibilityMetadata,
  ContentLook,
  PdfAccessibility,
} from '../accessibility-facts.ts'
import type { Book } from '../book.ts'
import { claimIn, unknownClaimsIn } from './conformance.ts'
import { type Contradiction, contradictionsIn } from './contradictions.ts'
import { type Missing, missingFrom } from './missing.ts'
import { type OnixCodes, onixCodesOf } from './onix-codes.ts'
import { type Statements, statementsOf } from './statements.ts'
import { termsIn, type UnknownValue } from './vocabulary.ts'

export type { Missing } from './missing.ts'
export type { Statements } from './statements.ts'

/** How much a book says of its accessibility, the worst first. */
export const accessibilityStates = [
  'unread',
  'undeclared',
  'contradictory',
  'incomplete',
  'declared',
] as const
export type AccessibilityState = (typeof accessibilityStates)[number]

/** What a book says of its accessibility, what it leaves out, and what follows. */
export interface Accessibility {
  state: AccessibilityState
  statements: Statements
  missing: Missing[]
  contradictions: Contradiction[]
  onix: OnixCodes
  /** As written. */
  metadata: AccessibilityMetadata
  /** Values that the vocabularies do not have. */
  unknownValues: UnknownValue[]
  content?: ContentLook
  pdf?: PdfAccessibility
}

/** Describes the accessibility of a book that was read with `accessibility`; undefined if none of it could be read. */
export function describeAccessibility(book: Book): Accessibility | undefined {
  const facts = book.accessibility
  if (facts === undefined) return undefined
  const terms = termsIn(facts.metadata)
  const missing = missingFrom(facts, book)
  const contradictions = contradictionsIn(facts, terms, book)
  const claims = unknownClaimsIn(facts.metadata.conformsTo)
  return {
    state: stateOf(facts, missing, contradictions),
    statements: statementsOf(facts, terms, book.layout === 'fixed'),
    missing,
    contradictions,
    onix: onixCodesOf(facts, terms, book.publisher),
    ...facts,
    unknownValues: [...terms.unknown, ...claims.map(value => ({ property: 'conformsTo', value }))],
  }
}

function stateOf(
  facts: AccessibilityFacts,
  missing: readonly Missing[],
  contradictions: readonly Contradiction[],
): AccessibilityState {
  const { pdf } = facts
  const { conformsTo, ...metadata } = facts.metadata
  const isClaimed = claimIn(conformsTo) || unknownClaimsIn(conformsTo).length > 0
  const saysNothing = pdf
    ? !pdf.isTagged && pdf.pdfUaPart === undefined
    : !isClaimed && Object.values(metadata).every(values => values.length === 0)
  if (saysNothing) return 'undeclared'
  if (contradictions.length > 0) return 'contradictory'
  return missing.some(({ level }) => level === 'required') ? 'incomplete' : 'declared'
}
