/** What is to be done about a step now that the service, the journal and the file were looked at. */
export type StepVerdict =
  /** It is carried out or continued. `modified` is the file's modification time in milliseconds since 1970. */
  | { readonly is: 'open'; readonly modified: number | null }
  /** Its file has reached the service before, and only its processing may go on. */
  | { readonly is: 'sent'; readonly isFinished: boolean }
  | {
      readonly is: 'done'
      readonly why: string
      readonly publicationId: string | null
      readonly editionId: string | null
      readonly uploadStatus: string | null
    }
  | { readonly is: 'stale'; readonly why: string }

export const stale = (why: string): StepVerdict => ({ is: 'stale', why })
