/** What a report says about itself. */
export interface About {
  /** The files and folders that were asked for. */
  readonly inputs: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** The name and version of the program. */
  readonly program: string
}
