import type { PublicationType } from '../service/contract/publication-type.ts'
import type { CheckedBy } from '../system/checked-by.ts'
import { serialise } from '../system/exact-json.ts'
import type { Warning } from '../system/warning.ts'
import type { Counts, PlanAction } from './actions.ts'
import type { ChangeableFields } from './book-fields.ts'
import type { Creation } from './creation.ts'
import type { Difference } from './difference.ts'
import type { Origin } from './wanted.ts'

/** The state of a publication that a step was planned on. `apply` carries the step out only if it is still so. */
export interface Before extends ChangeableFields {
  readonly currentEditionId: string | null
}

/** One line of a plan file. What does not apply is null. */
export interface PlanStep {
  /** Bare: thirteen digits for an ISBN, the value for `metadata:<key>`, `sha256:<hex>` otherwise. */
  readonly key: string | null
  readonly action: PlanAction
  /** A clause without a full stop. */
  readonly why: string
  /** What the user can do, as a sentence. */
  readonly hint: string | null
  /** Absolute path. */
  readonly file: string | null
  readonly sha256: string | null
  readonly bytes: number | null
  readonly type: PublicationType | null
  readonly title: string | null
  /** Missing in plans of versions before this was kept. */
  readonly author?: readonly string[] | null
  readonly publicationId: string | null
  readonly editionId: string | null
  /** Whether a skip is proven by content. */
  readonly proof: 'proven' | 'unproven' | null
  /** That of the edition that is there. A plan has it of a skip whose content is still being processed. */
  readonly uploadStatus?: string | null
  /** The fields that differ and cannot be changed (`blocked`, or `edition` with `--reissue`), or that an update changes. */
  readonly fields: readonly string[] | null
  /** What these fields have at the service, and what they are to have. */
  readonly differences: readonly Difference[] | null
  readonly before: Before | null
  /** The exact body of the request: a creation for `create` and `edition`, the changed fields for `update`. */
  readonly send: Creation | ChangeableFields | null
  /** `auto`, `none` or the absolute path of an image, for `create` and `edition`. */
  readonly cover: string | null
  readonly uploadRequestId: string | null
  /** What people should know of it, whatever is done. */
  readonly warnings: readonly Warning[]
  /** Who else has checked the book, if others were asked to. */
  readonly checkedBy?: readonly CheckedBy[]
  readonly from: Origin | null
}

/** The first line of a plan file. */
export interface PlanHeader {
  /** The version of pubctl that made it. */
  readonly pubctl: string
  readonly planId: string
  readonly baseUrl: string
  readonly scopeId: string | null
  /** The metadata key by which books were matched: `isbn`, or another. */
  readonly match: string
  readonly sources: readonly { readonly path: string; readonly sha256: string }[]
  /** When, as an ISO timestamp. */
  readonly made: string
  readonly counts: Counts
  /** How many values of the sources are not sent: `prices`, `rights`, and by the names of metadata keys that there are not. */
  readonly notSent: { readonly [name: string]: number }
  /** How many publications could not be read, so that books are recognised among them by their titles only. */
  readonly unread: number
  /** How many publications were not read yet, of which no row named the title, the key or the content. */
  readonly notReadYet: number
}

/** The files that a plan was made from, in words: `feed.xml`, `feed.xml and map.csv`. */
export function sourceNames({ sources }: Pick<PlanHeader, 'sources'>): string {
  const paths = sources.map(({ path }) => path)
  const [first, second, ...others] = paths
  if (others.length > 0) return `${first}, ${second} and ${others.length} more`
  return paths.join(' and ')
}

/** The lines of a plan file: the header, then the steps in the order of the sources. */
export function* planLines(header: PlanHeader, steps: Iterable<PlanStep>): Generator<string> {
  yield `${serialise(header)}\n`
  for (const step of steps) yield `${serialise(step)}\n`
}
