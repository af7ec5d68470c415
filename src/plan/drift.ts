/**
 * What pubctl sent last to a publication, or found there as the sources say, by the names of fields; those of metadata follow
 * `metadata.`. Null is no value. What is not known is missing.
 */
export type SentValues = ReadonlyMap<string, unknown>

/**
 * What a field is, by three values: what was sent last, what the source says, and what the service has. `given` tells
 * whether the source says anything.
 *
 * - `silent`: the source says nothing, and leaves the field to the service
 * - `equal`: the service has what the source says
 * - `outdated`: the service has what was sent last, and the source says something else by now
 * - `drifted`: the service has neither, so somebody has changed it there
 * - `unknown`: it differs, and what was sent last is not known
 */
export type FieldState = 'silent' | 'equal' | 'outdated' | 'drifted' | 'unknown'

/** The values of a field. Undefined: nothing was said of it (`wanted`), or nothing is known to have been sent (`sent`). */
export interface ThreeWays {
  readonly sent?: unknown
  readonly wanted: unknown
  readonly there: unknown
}

/** `isSame` compares two values as the field does. An empty value is the same as none. */
export function fieldState(
  { sent, wanted, there }: ThreeWays,
  isSame: (value: unknown, other: unknown) => boolean,
): FieldState {
  const isEqual = (one: unknown, other: unknown) => isSame(one, other) || (isEmpty(one) && isEmpty(other))
  if (wanted === undefined) return 'silent'
  if (isEqual(wanted, there)) return 'equal'
  if (sent === undefined) return 'unknown'
  return isEqual(sent, there) ? 'outdated' : 'drifted'
}

/** Whether a value says as little as none. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)
