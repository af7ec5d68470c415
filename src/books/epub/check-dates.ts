import { quotedText } from '../book.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, textOf } from '../xml.ts'
import { isEpub3, type Package } from './package.ts'

/** A date as EPUB has it, or a part of one: 2026, 2026-01, 2026-01-31, or with a time. */
const date = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/

/** Whether a text is a date of the calendar. */
function isDate(text: string): boolean {
  const [matched, year, month = '01', day = '01'] = date.exec(text) ?? []
  if (matched === undefined) return false
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return at.getUTCMonth() + 1 === Number(month) && at.getUTCDate() === Number(day)
}

/** Adds what is wrong with the dates of the metadata and, in EPUB 2, with the roles of its people. */
export function checkDates(from: Package, problems: Problems): void {
  const add = problemsIn(problems, from.path)
  const dates = from.metadata.filter(({ name }) => name === 'date')
  for (const element of dates) {
    const text = textOf(element)
    if (isDate(text) || (text === '' && isEpub3(from))) continue
    add('warning', 'date_wrong', `${quotedText(text)} is no date such as 2026-01-31.`, element.position)
  }
  if (isEpub3(from) && dates.length > 1) {
    add('warning', 'meta_doubled', 'The metadata have two dates.', dates[1]?.position)
  }
  if (isEpub3(from)) return
  for (const element of from.metadata) {
    const role = /^(?:creator|contributor)$/.test(element.name) ? attributeOf(element, 'role') : undefined
    if (role === undefined || /^(?:[a-z]{3}|oth\..{1,100})$/i.test(role)) continue
    const message = `The role ${quotedText(role)} is none of the relators of MARC, such as aut and trl.`
    add('warning', 'role_unknown', message, element.position)
  }
}
