/** A value that was sent, and when, in milliseconds since 1970. */
export interface Sent {
  readonly value: unknown
  readonly at: number
}

/** Values that were sent to a publication. */
export interface SentTo {
  readonly publicationId: string
  /** By the service's names of the fields; those of metadata follow `metadata.`. */
  readonly values: Iterable<readonly [field: string, value: unknown]>
  readonly at: number
}

/**
 * What was sent last to the publications of a caller. It is no part of the index of publications, because it cannot be read
 * from the service again.
 */
export interface SentStore {
  /** What was sent last to a publication, by the names of fields. */
  get(publicationId: string): ReadonlyMap<string, Sent>
  /** Reads what `get` will soon be asked for, at once. What is read so is given once, and then read anew. */
  readAhead(publicationIds: readonly string[]): void
  /** Keeps values, except those of fields of which a later one is kept. */
  put(sent: readonly SentTo[]): void
  close(): void
}

/** Reads what was sent to each publication once, as it is when it is first asked for. */
export function readOnce({ get }: Pick<SentStore, 'get'>): Pick<SentStore, 'get'> {
  const known = new Map<string, ReturnType<typeof get>>()
  return {
    get(publicationId) {
      const found = known.get(publicationId) ?? get(publicationId)
      known.set(publicationId, found)
      return found
    },
  }
}

/** For machines that keep nothing. */
export const withoutRecord: SentStore = {
  get: () => new Map(),
  readAhead: () => undefined,
  put: () => undefined,
  close: () => undefined,
}
