/** What makes a report fit to be read. */
export interface Guard {
  /** Takes the secrets out of a value, whatever texts it is made of. */
  readonly hide: <T>(value: T) => T
  /** A text without characters that a terminal would obey, or that reorder or hide what stands around them. */
  readonly neutralise: (text: string) => string
  /** The same for JSON, which still parses to the same value. */
  readonly neutraliseJson: (json: string) => string
}

/** A text as one that stands in a report. */
export const printable = (text: string, { neutralise }: Guard): string =>
  neutralise(text.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes text fit for XML and HTML; characters that XML 1.0 cannot hold are replaced. */
export const escaper =
  (guard: Guard) =>
  (text: string): string =>
    printable(text, guard)
      .replace(/[&<>"']/g, character => entities[character] as string)
      .replace(/[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
