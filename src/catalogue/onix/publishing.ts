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

/** Publishing date roles of list 163: publication date, and sales embargo date, which is the day of first sale. */
export const dateRoles = { publication: '01', onSale: '02' } as const

const roleNames = { '01': 'publishing date', '02': 'sales embargo date' } as const

/** Date formats of list 55 that begin with year, month and day. */
const ofDays = ['', '00', '01', '05', '13', '14']

/**
 * The date of a role: `2026-08-07`, `2026-08` or `2026`, or a text as it is. What is no date is told to `leftOut`, and
 * missing.
 */
export function publishingDateOf(
  publishing: OnixElement | undefined,
  role: (typeof dateRoles)[keyof typeof dateRoles],
  leftOut: (why: string) => void,
): string {
  const dated = elementsIn(publishing, 'PublishingDate').find(
    each => valueIn(each, 'PublishingDateRole') === role,
  )
  const date = valueIn(dated, 'Date')
  const format = elementIn(dated, 'Date')?.attributes['dateformat'] ?? valueIn(dated, 'DateFormat')
  if (date === '' || !ofDays.includes(format)) return date
  const read = dateIn(date)
  if (read === undefined) leftOut(`its ${roleNames[role]} "${date.slice(0, 50)}" cannot be read as a date`)
  return read ?? ''
}

/** The usual ways to write a date. The month and the day that nobody knows are left out, or 00. */
const dateForms: readonly RegExp[] = [
  /^(?<year>\d{4})(?:(?<month>\d\d)(?<day>\d\d)?)?(?:T.*)?$/,
  /^(?<year>\d{4})(?<between>[-/.])(?<month>\d{1,2})(?:\k<between>(?<day>\d{1,2}))?(?:[T ].*)?$/,
  /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})$/,
  /^(?:(?<day>\d{1,2})\.? )?(?<name>[A-Za-z]{3,9})\.? (?<year>\d{4})$/,
  /^(?<name>[A-Za-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/,
]

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** The number of a month by its English name, or by the first three letters of it; 0 for others. */
const monthOf = (name: string): number =>
  1 + months.findIndex(month => [month, month.slice(0, 3)].includes(name.toLowerCase()))

/** Undefined for what is no date, or whose day and month can be meant in either order, as in 07/08/2026. */
function dateIn(text: string): string | undefined {
  const groups = dateForms.map(form => form.exec(text)?.groups).find(found => found !== undefined)
  if (groups === undefined) return undefined
  const { year = '', name, day } = groups
  const month = name === undefined ? groups['month'] : String(monthOf(name))
  if (month === '0') return undefined
  const parts = [year, month, day].filter(part => part !== undefined && Number(part) > 0)
  if (Number(month ?? 0) === 0 && Number(day ?? 0) > 0) return undefined
  if (!isDay(Number(parts[0]), Number(parts[1] ?? 1), Number(parts[2] ?? 1))) return undefined
  return parts.map(part => String(part).padStart(2, '0')).join('-')
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
