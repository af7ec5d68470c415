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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for XML and HTML; characters that are invalid in XML 1.0 are replaced. */
export const escaper =
  (guard: Guard) =>
  (text: string): string =>
    printable(text, guard)
      .replace(/[&<>"']/g, character => entities[character] as string)
      .replace(/[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
