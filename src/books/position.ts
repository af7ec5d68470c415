/** Where something stands in a document, each from 1; the column in UTF-16 code units, where it is known. */
export interface Position {
  readonly line: number
  readonly column?: number | undefined
}
