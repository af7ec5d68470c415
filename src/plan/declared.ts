/** A use of the content that a record permits or forbids (`EpubUsageConstraint`). */
export interface UsageConstraint {
  /** A code of list 145, such as `11` for text and data mining. */
  readonly type: string
  /** A code of list 146: `01` permitted, `02` permitted subject to a limit, `03` prohibited. Empty if the record has none. */
  readonly status: string
  /** `unit` is a code of list 147. */
  readonly limits?: readonly { readonly quantity: string; readonly unit: string }[]
}

/** A licence of the content (`EpubLicense`). */
interface UsageLicense {
  readonly name: string
  /** `type` is a code of list 218, such as `01` for human readable and `20` for ODRL. */
  readonly expressions: readonly { readonly type: string; readonly link: string }[]
}

/** A voice or another maker that is no person. */
export interface ArtificialMaker {
  /** A code of list 19: `05` to `08` for synthesised voices, `09` for AI. */
  readonly code: string
  /** Codes of list 17, such as `E07` for who reads it. */
  readonly roles: readonly string[]
  /** The names that go with it: the brand of the voice, or the actor that it is based on. */
  readonly names: readonly string[]
}

/** A coded feature with its description (`ProductFormFeature`). */
export interface CodedFeature {
  /** A code of the list that its type names, or a version. Empty if the record has none. */
  readonly value: string
  readonly description?: string
}

/** What a record declares of a book's rights, its makers and its access, in its own codes. What it does not say is missing. */
export interface Declared {
  readonly usage?: readonly UsageConstraint[]
  readonly licenses?: readonly UsageLicense[]
  readonly artificial?: readonly ArtificialMaker[]
  /** The names of people and organisations that read it. */
  readonly narrators?: readonly string[]
  /** Codes of list 196. */
  readonly accessibility?: readonly CodedFeature[]
  /** Codes of list 143. */
  readonly hazards?: readonly CodedFeature[]
  /** The version of the format: as a number (type 10 of list 79), or as a code of list 220 (type 15). */
  readonly formatVersions?: readonly (CodedFeature & { readonly type: '10' | '15' })[]
  /** The version of the program that checked the format, with its name as the description (type 16). */
  readonly validators?: readonly CodedFeature[]
  /** The day from which it may be sold (role 02 of list 163): `2026-08-07`, `2026-08`, `2026`, or a text as it is. */
  readonly onSaleDate?: string
}
