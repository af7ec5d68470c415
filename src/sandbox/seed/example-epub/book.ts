export interface ExampleOptions {
  title?: string
  authors?: readonly string[]
  language?: string
  isbn?: string
  publisher?: string
  description?: string
  /** Pages of a fixed size instead of text that flows. */
  fixedLayout?: boolean
  /** EPUB 2.0.1 instead of EPUB 3. */
  epub2?: boolean
  /** Whether it has a cover image; it has by default. */
  cover?: boolean
  /** Makes the book so many bytes larger, by bytes that cannot be compressed. */
  paddingBytes?: number
  /** More entries for the zip, by name; they are not listed in the package document. */
  extraEntries?: Readonly<Record<string, string | Uint8Array>>
}

/** What the example book is made of, once every default is filled in. */
export interface ExampleBook extends ExampleOptions {
  title: string
  authors: readonly string[]
  language: string
  publisher: string
  description: string
  identifier: string
  fixedLayout: boolean
  epub2: boolean
  cover: boolean
  paddingBytes: number
}
