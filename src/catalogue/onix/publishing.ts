import { BrokenRecord } from './broken.ts'
import { elementIn, elementsIn, type OnixElement, valueIn } from './element.ts'

/** Publishing role of list 45: publisher. */
const publisher = '01'

/** The name of the publisher; empty if there is none. */
export const publisherOf = (publishing: OnixElement | undefined): string =>
  elementsIn(publishing, 'Publisher')
    .filter(each => valueIn(each, 'PublishingRole') === publisher)
    .map(each => valueIn(each, 'PublisherName'))
    .find(Boolean) ?? ''

/** The names of the imprints, separated by semicolons. */
export const imprintOf = (publishing: OnixElement | undefined): string =>
  elementsIn(publishing, 'Imprint')
    .map(each => valueIn(each, 'ImprintName'))
    .filter(Boolean)
    .join('; ')

/** Publishing date role of list 163: publication date. */
const publication = '01'

/** Date formats of list 55 that begin with year, month and day, and how many digits of these they have. */
const digitsOf: Readonly<Record<string, number>> = { '00': 8, '01': 6, '05': 4, '13': 8, '14': 8 }

/** The date of publication: `2026-08-07`, `2026-08` or `2026`, or a text as it is. Throws BrokenRecord for what is no date. */
export function publicationDateOf(publishing: OnixElement | undefined): string {
  const dated = elementsIn(publishing, 'PublishingDate').find(
    each => valueIn(each, 'PublishingDateRole') === publication,
  )
  const date = valueIn(dated, 'Date')
  if (date === '') return ''
  const written = elementIn(dated, 'Date')?.attributes['dateformat'] ?? valueIn(dated, 'DateFormat')
  const format = written || formatBySize[date.length] || '00'
  const count = digitsOf[format]
  if (count === undefined) return date
  const [, year = '', month, day] = /^(\d{4})(\d\d)?(\d\d)?/.exec(date.slice(0, count)) ?? []
  const parts = [year, month, day].filter(part => part !== undefined)
  if (parts.join('').length !== count || !isDay(Number(year), Number(month ?? 1), Number(day ?? 1)))
    throw new BrokenRecord(`its publishing date "${date.slice(0, 50)}" is no date of format ${format}`)
  return parts.join('-')
}

/** The format of a date that names none is YYYYMMDD; shorter ones are written all the same. */
const formatBySize: Readonly<Record<number, string>> = { 4: '05', 6: '01' }

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
