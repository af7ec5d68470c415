import { isObject } from '../../system/is-object.ts'
import { plain } from './cell.ts'
import type { Column } from './view.ts'

/** A field with its value at the service, the wanted one, and what was sent last if that is known. */
interface Difference {
  readonly field: string
  readonly there: unknown
  readonly wanted: unknown
  readonly sent?: unknown
  /** What it is by these three, where that is said of each field. */
  readonly state?: string
}

/** What differs between a source and the service, as a column of steps. */
export const differencesColumn: Column = {
  ...{ field: 'differences', isBelow: true },
  textOf: (value, most) => (isDifference(value) ? differenceText(value, most) : plain(value)),
}

const isDifference = (value: unknown): value is Difference =>
  isObject(value) && typeof value['field'] === 'string'

/**
 * A difference in words: `language: there "English", wanted "German"`. Values of more than `most` UTF-16 code units are cut to
 * where they begin to differ.
 */
function differenceText(difference: Difference, most: number): string {
  const { field, state } = difference
  const values = differingTexts(difference, most).map(
    ([name, text]) => `${name} ${text === null ? 'nothing' : `"${text}"`}`,
  )
  return `${field}${state === undefined ? '' : ` (${state})`}: ${values.join(', ')}`
}

/**
 * The values by what they are, as texts that are cut in the same place; null for no value. What was sent last is only said
 * where the service has something else.
 */
export function differingTexts(
  { there, wanted, sent }: Difference,
  most: number,
): readonly (readonly [name: string, text: string | null])[] {
  const named = [
    ...(sent === undefined || textOf(sent) === textOf(there) ? [] : [['sent last', textOf(sent)] as const]),
    ['there', textOf(there)] as const,
    ['wanted', textOf(wanted)] as const,
  ]
  const texts = named.map(([, text]) => text)
  if (texts.every(text => (text?.length ?? 0) <= most)) return named
  const [first, ...others] = texts.map(text => text ?? '')
  const start = Math.min(...others.map(other => startOf(first ?? '', other, most)))
  return named.map(([name, text]) => [name, excerpt(text, start, most)] as const)
}

function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return plain(value) || null
}

/** Where to begin, so that it is seen where two texts begin to differ: at a word shortly before. */
function startOf(one: string, other: string, most: number): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  const early = Math.floor(same - most / 3)
  if (early <= 0) return 0
  const blank = one.indexOf(' ', early)
  if (blank !== -1 && blank < same) return blank + 1
  return isSecondHalf(one[early]) ? early - 1 : early
}

function excerpt(text: string | null, start: number, most: number): string | null {
  if (text === null || (start === 0 && text.length <= most)) return text
  const end = isSecondHalf(text[start + most]) ? start + most - 1 : start + most
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** Whether it is the second half of a character of two code units, before which a text is not cut. */
const isSecondHalf = (unit: string | undefined): boolean => /^[\udc00-\udfff]$/.test(unit ?? '')
