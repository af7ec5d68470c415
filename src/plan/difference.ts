/** A field whose value at the service is another than the wanted one. Null is no value. */
export interface Difference {
  /** The service's name of the field, or the metadata key. */
  readonly field: string
  readonly there: unknown
  readonly wanted: unknown
  /** What was sent last; missing where that is not known. */
  readonly sent?: unknown
}

/** A difference that somebody keeps as known. */
export interface AcceptedDifference extends Omit<Difference, 'sent'> {
  readonly publicationId: string
}
