/** A value as a file has it, and where. */
export interface WrittenValue {
  value: string
  /** The entry of the zip, with a line where one is known: `EPUB/package.opf:12`. */
  place?: string
  /** In the line of the place, from 1, where it is known. */
  column?: number
}

/** What a file says of text and data mining and of who or what made it, as it is written. */
export interface RightsFacts {
  /** The values of `reservation` of the TDM Reservation Protocol: 1 or 0. */
  reservations: WrittenValue[]
  /** The addresses of its policies. */
  policies: WrittenValue[]
  /** The names of those who read it aloud. */
  narrators: string[]
  /** What it came to be from, by schema.org's or IPTC's `digitalSourceType`. */
  digitalSources: WrittenValue[]
}

/** A file that says nothing. */
export const noRightsFacts = (): RightsFacts => ({
  reservations: [],
  policies: [],
  narrators: [],
  digitalSources: [],
})

/** The most values of one kind that are read. */
export const rightsLimit = 20
