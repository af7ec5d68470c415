import { isObject } from '../../system/is-object.ts'
import { plain } from './cell.ts'
import type { Column } from './view.ts'

/** A field with its value at the service and the wanted one. */
interface Difference {
  readonly field: string
  readonly there: unknown
  readonly wanted: unknown
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
  const [there, wanted] = differingTexts(difference, most).map(text =>
    text === null ? 'nothing' : `"${text}"`,
  )
  return `${difference.field}: there ${there}, wanted ${wanted}`
}

/** Both values as text, cut in the same place; null for no value. */
export function differingTexts(
  { there, wanted }: Difference,
  most: number,
): readonly [string | null, string | null] {
  const texts = [textOf(there), textOf(wanted)] as const
  const [one, other] = texts
  if ([one, other].every(text => (text?.length ?? 0) <= most)) return texts
  const start = startOf(one ?? '', other ?? '', most)
  return [excerpt(one, start, most), excerpt(other, start, most)]
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
