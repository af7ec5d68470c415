import type { ChangeableFields } from './book-fields.ts'
import type { AcceptedDifference, Difference } from './difference.ts'

interface StepFacts {
  /** The reason, as a clause without a full stop. */
  readonly why: string
  readonly publicationId: string | null
  readonly editionId: string | null
  /** Differences that are there and kept as known. */
  readonly accepted?: readonly AcceptedDifference[]
}

/** What to do with a file. */
export type Step = StepFacts &
  (
    | { readonly action: 'create' }
    /** `differences` are those that make it, where the content is the same; `fields` are their names. */
    | {
        readonly action: 'edition'
        readonly publicationId: string
        readonly fields?: readonly string[]
        readonly differences?: readonly Difference[]
      }
    | {
        readonly action: 'update'
        readonly publicationId: string
        readonly send: ChangeableFields
        readonly differences: readonly Difference[]
      }
    /** `unproven`: only ISBN and size are known to be the same. */
    | {
        readonly action: 'skip'
        readonly proof: Proof
        readonly uploadStatus: string | null
        /** The other file that it is a copy of. */
        readonly copyOf?: string
      }
    | {
        readonly action: 'resume' | 'wait'
        readonly uploadRequestId: string
        readonly editionOf: string | null
      }
    /** `failedWith` is the upload status with which the same content has failed before. */
    | { readonly action: 'conflict'; readonly hint: string; readonly failedWith?: string }
    | {
        readonly action: 'blocked'
        readonly fields: readonly string[]
        readonly differences: readonly Difference[]
      }
  )

export type Proof = 'proven' | 'unproven'

/** What to do with a product of a catalogue. */
export type ProductStep = StepFacts &
  (
    | Exclude<Step, { readonly action: 'skip' | 'conflict' }>
    /** `proof` is null if there is no file to compare. */
    | { readonly action: 'skip'; readonly proof: Proof | null; readonly uploadStatus: string | null }
    /** `unproven`: whether the content is the same cannot be told. */
    | {
        readonly action: 'conflict'
        readonly hint: string
        readonly proof?: 'unproven'
        readonly failedWith?: string
      }
    /** `fields` are those that drifted; `differences` are all. */
    | {
        readonly action: 'drifted'
        readonly fields: readonly string[]
        readonly differences: readonly Difference[]
      }
    | { readonly action: 'no-file' | 'ignored' | 'withdrawn' | 'broken' }
  )

export const createStep = (why: string): Extract<Step, { action: 'create' }> => ({
  action: 'create',
  why,
  publicationId: null,
  editionId: null,
})
