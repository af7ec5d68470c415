/** Something that the person, or a script, should know of, and that does not stop the command. */
export interface Warning {
  /** For scripts, in lower case with underscores. */
  readonly code: string
  /** A sentence without a full stop. */
  readonly message: string
  /** What can be done about it, as a sentence. */
  readonly hint?: string | undefined
}
