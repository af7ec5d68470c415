/** What says something of a book's rights: its file, the ONIX feed, or a site of its publisher. */
export const carriers = ['file', 'feed', 'site'] as const
export type Carrier = (typeof carriers)[number]

/** One thing that a carrier says. */
export interface Saying<Value extends string = string> {
  readonly value: Value
  /** As it is written there, where that is something else. */
  readonly written?: string
  /** The list of ONIX that the value is a code of. */
  readonly list?: string
  /** Where it stands: `EPUB/package.opf:12`, a record of a message, an address. */
  readonly place?: string
}

/** Whether text and data mining is reserved: all of it, none of it, or beyond a limit. */
export type Reservation = 'reserved' | 'permitted' | 'limited'

/** Who reads a book aloud. */
export type Voice = 'person' | 'synthetic'

/** Who or what made it, as far as that is said: generative AI had a part in it, or none. */
export type MadeBy = 'ai' | 'people'

/** What a carrier says of accessibility, by the codes of ONIX. */
export interface AccessSaid {
  /** Codes of list 196. */
  readonly codes: readonly Saying[]
  /** Codes of list 143. */
  readonly hazards: readonly Saying[]
  /** The codes that it could give at all; every code, if it is missing. */
  readonly sayable?: ReadonlySet<string>
  /** Images without alternative text that were found in it, and all images. */
  readonly images?: { readonly without: number; readonly all: number }
}

/** What one carrier says of a book. What it has no place for is missing. */
export interface CarrierSays {
  readonly carrier: Carrier
  /** What it is called where there are several of them, such as the address of a site. */
  readonly name?: string
  readonly tdm: {
    readonly reservations: readonly Saying<Reservation>[]
    /** Addresses. */
    readonly policies: readonly Saying[]
  }
  readonly access?: AccessSaid
  /** `written` is the name of a voice. */
  readonly voices?: readonly Saying<Voice>[]
  readonly sources?: readonly Saying<MadeBy>[]
  /** Values that mean nothing. */
  readonly unknown: readonly (Saying & { readonly property: string })[]
}
