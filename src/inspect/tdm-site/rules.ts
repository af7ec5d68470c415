import { reservationValues } from '../../books/rights/file-says.ts'
import type { Reservation } from '../../books/rights/says.ts'

/** A rule of a site's `tdmrep.json` (https://www.w3.org/2022/tdmrep/): what holds for the paths of a pattern. */
export interface TdmRule {
  readonly location: string
  readonly reservation: Reservation
  readonly policy?: string
}

/** The most rules that are read. */
const mostRules = 10_000

/**
 * The rules of a `tdmrep.json`, and what is wrong with the others, as a clause; undefined if it is no list. A rule without a
 * location, or with another value than 0 or 1, counts as none.
 */
export function tdmRulesIn(json: unknown): { rules: TdmRule[]; faults: string[] } | undefined {
  if (!Array.isArray(json)) return undefined
  const [rules, faults]: [TdmRule[], string[]] = [[], []]
  for (const [index, each] of json.slice(0, mostRules).entries()) {
    const rule = (typeof each === 'object' && each !== null ? each : {}) as Record<string, unknown>
    const { location, 'tdm-reservation': value, 'tdm-policy': policy } = rule
    const reservation = ['number', 'string'].includes(typeof value)
      ? reservationValues[String(value)]
      : undefined
    if (typeof location !== 'string' || location === '') faults.push(`rule ${index + 1} has no location`)
    else if (reservation === undefined) faults.push(`rule ${index + 1} has no reservation of 0 or 1`)
    else rules.push({ location, reservation, ...(typeof policy === 'string' && policy !== '' && { policy }) })
  }
  return { rules, faults }
}

/**
 * The rule that holds for a path: the most specific one, which is the one of the longest location, and of those of the same
 * length the first. `first` is the first one that matches, which is how the protocol itself calls the most specific one.
 */
export function ruleFor(
  path: string,
  rules: readonly TdmRule[],
): { readonly best: TdmRule; readonly first: TdmRule } | undefined {
  // A rule writes the characters of patterns as escapes where it means themselves.
  const comparable = normalised(path).replaceAll('$', '%24').replaceAll('*', '%2A')
  const matching = rules.filter(({ location }) => matches(normalised(location), comparable))
  const [first] = matching
  if (first === undefined) return undefined
  const best = matching.reduce((one, other) => (other.location.length > one.location.length ? other : one))
  return { best, first }
}

/**
 * Whether a path begins as a pattern says, in which `*` stands for any characters and `$` at the end for the end of the path,
 * as in robots.txt. Each part is sought once, from left to right, so that no pattern takes long.
 */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [head = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(head)) return false
  const last = isWhole ? parts.pop() : undefined
  let at = head.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isWhole) return true
  return last === undefined ? path.length === at : path.length - last.length >= at && path.endsWith(last)
}

/** A path or pattern of which what needs no escape has none, and every escape is in upper case. */
const normalised = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[^\x21-\x7E]+/gu, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, escaped => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : escaped.toUpperCase()
    })
