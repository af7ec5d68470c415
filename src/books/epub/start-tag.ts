import type { ExactPosition, Position } from '../position.ts'

/** The name of an element or attribute, as it is written and in its parts; the prefix is empty where there is none. */
export interface MarkupName {
  readonly name: string
  readonly prefix: string
  readonly local: string
}

/** A start tag of a page, whichever way the page is read. It may change when the next one is read. */
export interface StartTag {
  readonly local: string
  /** Its namespace; empty where it has none. */
  readonly uri: string
  /** Its attributes in their order, those that declare namespaces included. */
  readonly attributeCount: number
  attributeName(index: number): MarkupName
  attributeValue(index: number): string
  /** The value of an attribute by its name as it is written. */
  get(name: string): string | undefined
  /** Where it begins. */
  readonly at: Position
}

/** The text of a style within a page. */
export interface StyleText {
  readonly css: string
  readonly begins: ExactPosition
  /** Whether it is written as it is read, without references to characters and sections of plain text: its columns are the page's. */
  readonly isPlain: boolean
}

/** Told of the markup of a page or another document in its order; of what not everybody needs, whoever asks for it. */
export interface MarkupEvents {
  /** The encoding that the XML declaration names. */
  declared?(encoding: string): void
  /** What stands after `<!DOCTYPE`. */
  doctype(text: string): void
  opened(tag: StartTag): void
  closed(local: string): void
  /** The text between two tags within the root. */
  text?(text: string): void
  /** How many words that has; not told of one without any. */
  words?(count: number): void
  /** The text of an element that is a style, once it is closed. */
  style?(text: StyleText): void
}
