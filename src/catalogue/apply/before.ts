import { isEmpty } from '../../plan/drift.ts'
import type { KnownEdition, KnownPublication } from '../../plan/known.ts'
import type { Before } from '../../plan/plan-step.ts'

/** The edition that readers get, or else the newest. */
export const currentEdition = ({ editions }: KnownPublication): KnownEdition | undefined =>
  editions.find(({ isCurrent }) => isCurrent) ?? editions[0]

/**
 * What a publication has otherwise than a step was planned on, as a clause; undefined if nothing. What the service does not
 * say cannot have changed.
 */
export function changedSince(before: Before, now: KnownPublication): string | undefined {
  const { currentEditionId, ...fields } = before
  const edition = currentId(now, currentEditionId)
  if (edition !== currentEditionId) return `its edition is ${edition}, and was ${currentEditionId}`
  const changed = Object.entries({ ...noFields, ...fields })
    .filter(([name, value]) => {
      const other = now.fields[name as keyof typeof now.fields]
      return other !== undefined && !isEqual(value, other)
    })
    .map(([name]) => name)
  return changed.length === 0 ? undefined : `its ${changed.join(', ')} changed`
}

/** A service that does not say which edition is current is taken to have the same one as long as that is there. */
function currentId({ editions }: KnownPublication, before: string | null): string | null {
  if (before === null) return null
  const current = editions.find(({ isCurrent }) => isCurrent)
  if (
    current === undefined &&
    (editions.length === 0 || editions.some(({ editionId }) => editionId === before))
  )
    return before
  return (current ?? editions[0])?.editionId ?? null
}

const noFields = {
  language: undefined,
  description: undefined,
  sampleItems: undefined,
  isForInternalReadingInstance: undefined,
}

/** An empty value is the same as none. */
const isEqual = (before: unknown, now: unknown): boolean =>
  JSON.stringify(plain(before)) === JSON.stringify(plain(now))

const plain = (value: unknown): unknown => (isEmpty(value) ? null : value)
