import type { PublicationType } from '../service/contract/publication-type.ts'
import type { Overrides } from './book-fields.ts'
import type { Declared } from './declared.ts'
import type { Origin } from './wanted.ts'

/** The values of a source that go to metadata keys of the same name, where the organisation has them active. */
export type OptionalKey =
  | 'imprint'
  | 'publicationDate'
  | 'onSaleDate'
  | 'subjects'
  | 'keywords'
  | 'series'
  | 'accessibility'
  | 'usageRights'
  | 'artificialMakers'

/** An ONIX record among earlier and later ones of the same product. */
export interface RecordInTime {
  /** Its RecordReference. */
  readonly reference: string
  /** When its message was sent, in milliseconds since 1970; null if that does not say. */
  readonly sentAt: number | null
  /** Whether it says if the product is for sale. */
  readonly saysSale: boolean
}

/** What a sheet or an ONIX message says of one book. */
export interface Product {
  readonly from: Origin
  /** From a sheet's column `publicationId`; it beats every other match. */
  readonly publicationId: string | null
  /** From a sheet's column `key`. */
  readonly key: string | null
  /** The publisher's own identifier in ONIX: the key where books are not matched by ISBN. */
  readonly proprietaryId?: string
  /** The absolute path that a sheet names. */
  readonly file: string | null
  /** The values to send, the ISBN (`isbn`) among them. An ISBN is thirteen digits. */
  readonly overrides: Overrides
  /** Values for metadata keys that the organisation may not have. */
  readonly optional: { readonly [key in OptionalKey]?: string }
  /** What the source says of the file, to be checked against it; null where it says nothing. */
  readonly type: PublicationType | null
  readonly isReflowable: boolean | null
  /** Why the product is not a digital book that the service can have; null if it is one. */
  readonly ignored: string | null
  /** Why it is not for sale according to the source, as a clause; null if it is. */
  readonly withdrawn: string | null
  /** ONIX notification 04: fields that are not given stay as they are. */
  readonly isPartial: boolean
  /** How many prices and sales rights of the record are not sent, because the service has no field for them. */
  readonly dropped: { readonly prices: number; readonly rights: number }
  /** The ONIX record that it is, if it has a reference. */
  readonly record?: RecordInTime
  /** What an ONIX record declares of rights, makers and access. */
  readonly declared?: Declared
  /** What of it cannot be used and is left out: clauses such as "its publishing date "x" cannot be read as a date". */
  readonly leftOut?: readonly string[]
}

/** A product that cannot be used, and why: a clause such as "its ISBN 978… has a wrong check digit". */
export interface BrokenProduct {
  readonly from: Origin
  readonly record?: RecordInTime
  readonly broken: string
  /** What it is called, as far as that can be told: its ISBN may have a wrong check digit. */
  readonly isbn?: string
  readonly key?: string
  readonly proprietaryId?: string
  readonly title?: string
  readonly publicationId?: string
}

/** A product after a later record of it: a whole record replaces the earlier one, and a partial one amends it. */
export function amended(earlier: Product, later: Product): Product {
  const overrides = { ...earlier.overrides, ...later.overrides }
  // A record that withdraws a product need not name it.
  if (!later.isPartial) return later.withdrawn === null ? later : { ...later, overrides }
  const leftOut = [...(earlier.leftOut ?? []), ...(later.leftOut ?? [])]
  return {
    ...{ ...earlier, from: later.from, overrides, key: later.key ?? earlier.key },
    ...(later.proprietaryId !== undefined && { proprietaryId: later.proprietaryId }),
    ...(later.record && { record: later.record }),
    optional: { ...earlier.optional, ...later.optional },
    type: later.type ?? earlier.type,
    isReflowable: later.isReflowable ?? earlier.isReflowable,
    ignored: later.ignored ?? earlier.ignored,
    withdrawn: later.record?.saysSale ? later.withdrawn : earlier.withdrawn,
    dropped: {
      prices: later.dropped.prices || earlier.dropped.prices,
      rights: later.dropped.rights || earlier.dropped.rights,
    },
    ...((earlier.declared || later.declared) && { declared: { ...earlier.declared, ...later.declared } }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}
