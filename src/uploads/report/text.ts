/** Makes values safe for a report. */
export interface Guard {
  /** Removes secrets from all texts in a value. */
  readonly hide: <T>(value: T) => T
  /** Removes control characters and characters that reorder or hide text. */
  readonly neutralise: (text: string) => string
  /** The same for JSON, which still parses to the same value. */
  readonly neutraliseJson: (json: string) => string
}

/** A text for a report. */
export const printable = (text: string, { neutralise }: Guard): string =>
  neutralise(text.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))
