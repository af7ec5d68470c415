/** Where something stands in a document, each from 1; the column in UTF-16 code units, where it is known. */
export interface Position {
  readonly line: number
  readonly column?: number | undefined
}

/** A position of which the column is known. */
export interface ExactPosition extends Position {
  readonly column: number
}

/** A position in an entry of a zip, as problems have it. */
export const placeIn = (
  path: string,
  { line, column }: Position,
): { readonly place: string; readonly column?: number } => ({
  place: `${path}:${line}`,
  ...(column !== undefined && { column }),
})
