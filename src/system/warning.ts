/** Something that the user or a script should know, and that does not end the command. */
export interface Warning {
  /** A code for scripts, in lower case with underscores. */
  readonly code: string
  /** A sentence without a full stop. */
  readonly message: string
  /** What to do about it, as a sentence. */
  readonly hint?: string | undefined
}
