import type { Problem } from './book.ts'

/** The list in a report at a path of names; empty where there is none. */
export function listAt(report: unknown, ...names: readonly string[]): Record<string, unknown>[] {
  const found = valueAt(report, ...names)
  return Array.isArray(found) ? found.filter(one => typeof one === 'object' && one !== null) : []
}

/** The text or number in a report at a path of names, as text. */
export function textAt(report: unknown, ...names: readonly string[]): string {
  const found = valueAt(report, ...names)
  return typeof found === 'string' || typeof found === 'number'
    ? String(found).replace(/\s+/g, ' ').trim()
    : ''
}

/** The first line of such a text. */
export function firstLineAt(report: unknown, ...names: readonly string[]): string {
  const found = valueAt(report, ...names)
  return typeof found === 'string' ? (found.trim().split('\n')[0] ?? '').trim() : ''
}

const valueAt = (report: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
    report,
  )

/** A problem of a checker; its message says whose it is, and how many `more` there are of the kind. */
export const problemOf = (
  { name }: { readonly name: string },
  severity: Problem['severity'],
  facts: { code: string; message: string; more?: number; place?: string; column?: number; hint?: string },
): Problem => {
  const message = facts.message.replace(/\.$/, '')
  const more = facts.more ? `. And ${facts.more} more of the kind` : ''
  return {
    severity,
    code: facts.code || name,
    message: `${message}${more} (${name}).`,
    ...(facts.place && { place: facts.place }),
    ...(facts.column && { column: facts.column }),
    ...(facts.hint && { hint: facts.hint }),
  }
}
