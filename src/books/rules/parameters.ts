import * as z from 'zod/mini'
import { isExpression } from './expression.ts'

/** What a rule may say of a property: how it is checked, and how docs show it. */
export interface RuleParameter<T> {
  readonly schema: z.ZodMiniType<T>
  /** How it is written, such as `{ min, max }`. */
  readonly form: string
  /** What it means, as a part of a sentence. */
  readonly says: string
}

/** The least and the most, both included. */
export interface Range {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

const bounds = <T extends z.ZodMiniType>(bound: T) =>
  z
    .strictObject({ min: z.optional(bound), max: z.optional(bound) })
    .check(z.refine(({ min, max }) => min !== undefined || max !== undefined, 'needs min or max'))

/** Numbers between two. */
export const range = (says: string): RuleParameter<Range> => ({
  schema: bounds(z.number()) as z.ZodMiniType<Range>,
  form: '{ min, max }',
  says,
})

/** How many bytes, as a number or with a unit: `5 MB`. */
type Size = number | string
export interface SizeRange {
  readonly min?: Size | undefined
  readonly max?: Size | undefined
}

const units: Readonly<Record<string, number>> = {
  ...{ B: 1, KB: 1000, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 },
}
const written = /^(\d{1,9}(?:\.\d{1,3})?) ?(B|[KMG]i?B)$/
const size = z.union([z.number(), z.string().check(z.regex(written, 'is no size such as 5 MB'))])

/** Bytes between two sizes. */
export const sizes = (says: string): RuleParameter<SizeRange> => ({
  schema: bounds(size) as z.ZodMiniType<SizeRange>,
  form: '{ min, max }, as 200 KB or 5 MiB',
  says,
})

/** The bytes that a range of sizes means. */
export const inBytes = ({ min, max }: SizeRange): Range => ({
  ...(min !== undefined && { min: bytesOf(min) }),
  ...(max !== undefined && { max: bytesOf(max) }),
})

function bytesOf(given: Size): number {
  if (typeof given === 'number') return given
  const [, count = '0', unit = 'B'] = written.exec(given) ?? []
  return Number(count) * (units[unit] ?? 1)
}

export const flag = (says: string): RuleParameter<boolean> => ({
  schema: z.boolean(),
  form: 'true or false',
  says,
})

const text = z.string().check(z.regex(/./s, 'is empty'))

export const word = (says: string): RuleParameter<string> => ({ schema: text, form: 'a text', says })

/** Texts; ISBNs and numbers may be written without quotes. */
export const texts = (says: string): RuleParameter<readonly (string | number)[]> => ({
  schema: z.array(z.union([text, z.number()])),
  form: 'a list of texts',
  says,
})

/** Some of the names that are known. */
export const someOf = <const Name extends string>(
  says: string,
  names: readonly Name[],
  form: string,
): RuleParameter<readonly Name[]> => ({
  schema: z.array(
    z.enum(
      names,
      `is none of ${names.length > 12 ? `${form}, which docs/rules.md lists` : names.join(', ')}`,
    ),
  ) as unknown as z.ZodMiniType<readonly Name[]>,
  form: names.length > 12 ? `a list of ${form}` : `a list of ${names.join(', ')}`,
  says,
})

/** A regular expression, as JavaScript reads it with the flag `u`. */
export const pattern = (says: string): RuleParameter<string> => ({
  schema: text.check(z.refine(isExpression, 'is no regular expression')),
  form: 'a regular expression',
  says,
})

/** Whether a number is outside of a range, and what it should be, in words: `at least 1,400`. */
export function missed(
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Range,
  value: number,
  inWords: (value: number) => string = each => each.toLocaleString('en'),
): string | undefined {
  if (value < min) return `at least ${inWords(min)}`
  return value > max ? `at most ${inWords(max)}` : undefined
}

/** Bytes in words, as `1.5 MB`. */
export function bytesInWords(bytes: number): string {
  const [unit, divisor] = bytes >= 1e6 ? ['MB', 1e6] : bytes >= 1000 ? ['KB', 1000] : ['bytes', 1]
  return `${(bytes / divisor).toLocaleString('en', { maximumFractionDigits: 2 })} ${unit}`
}
