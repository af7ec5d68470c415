import { UsageFailure } from '../system/errors.ts'

/** A month, written YYYY-MM. */
export function parseMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new UsageFailure(`"${text}" is not a month`, { hint: 'Write it as YYYY-MM, such as 2026-03.' })
}

/** A day, written YYYY-MM-DD. */
export function parseDay(text: string): string {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (instant && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text)) return text
  throw new UsageFailure(`"${text}" is not a day`, { hint: 'Write it as YYYY-MM-DD, such as 2026-03-31.' })
}

/** A whole number of at least 1. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageFailure(`"${text}" is not a whole number of at least 1`, { hint: 'Write it like 20.' })
  }
  return Number(text)
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30s`, `10m`, `1h30m`, `500ms` or a number of seconds, as milliseconds; undefined for anything else. */
function milliseconds(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)?/g)]
  const isCutLast = parts.length > 0 && parts.map(([part]) => part).join('') === text
  const hasUnits = parts.length === 1 || parts.every(([, , unit]) => unit !== undefined)
  if (!isCutLast || !hasUnits) return undefined
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? 's'] as number), 0)
}

/** A duration of at most a week, as milliseconds. */
export function parseDuration(text: string): number {
  const total = milliseconds(text)
  if (total === undefined || total <= 0 || total > 7 * 24 * 3_600_000) {
    throw new UsageFailure(`"${text}" is not a duration`, {
      hint: 'Write it like 30s, 10m or 1h30m; a week is the most.',
    })
  }
  return total
}

/** How old something may be, as milliseconds. */
export function parseAge(text: string): number {
  const total = milliseconds(text)
  if (total !== undefined && Number.isFinite(total)) return total
  throw new UsageFailure(`"${text}" is not an age`, { hint: 'Write it like 12h or 7d; 0s means always.' })
}

/** `isbn` or `metadata:<key>`, as the name of the metadata key. */
export function parseMatch(text: string): string {
  const key =
    text === 'isbn' ? 'isbn' : text.startsWith('metadata:') ? text.slice('metadata:'.length).trim() : ''
  if (key !== '') return key
  throw new UsageFailure(`"${text}" is nothing to match by`, {
    hint: 'Write isbn, or metadata:<key> with the name of a metadata key.',
  })
}

/** Splits `a,b.c` and adds the names to those of earlier occurrences of the option. */
export function parseList(text: string, earlier: string[] = []): string[] {
  const names = text.split(',').map(name => name.trim())
  if (names.some(name => name === '')) {
    throw new UsageFailure(`"${text}" has an empty name in it`, {
      hint: 'Separate names with single commas.',
    })
  }
  return [...earlier, ...names]
}

/** A UUID, unchanged. */
export function parseUuid(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text
  throw new UsageFailure(`"${text}" is not a UUID`, {
    hint: 'Write it like 4b6aa668-6336-4631-b0cc-77d59186b759.',
  })
}
