/** What is said of a book, on the command line or in a manifest; it wins over what the file says of itself. */
export interface Wishes {
  title?: string | undefined
  author?: string[] | undefined
  language?: string | undefined
  description?: string | undefined
  isbn?: string | undefined
  publisher?: string | undefined
  metadata?: Record<string, unknown> | undefined
  /** `auto`, `none` or a file. */
  cover?: string | undefined
  collection?: string[] | undefined
  sampleItem?: string[] | undefined
  internal?: true | undefined
}
