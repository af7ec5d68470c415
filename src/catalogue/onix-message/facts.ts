import { list196 } from '../../books/accessibility/onix-list-196.ts'
import { artificialMakers, list145, list146 } from '../../books/rights/onix-lists.ts'
import type { UsageConstraint } from '../../plan/declared.ts'
import { isSameText } from '../../plan/match.ts'
import type { Product } from '../../plan/product.ts'
import { localTextOf } from '../onix/plain-text.ts'
import { type Contributor, contributorsOf } from './contributor-roles.ts'
import { type Feature, type FileFacts, featureTypes } from './file-facts.ts'
import { languageCode } from './language-code.ts'
import {
  type BookSeries,
  type Extent,
  formOfType,
  type PublishingDate,
  type RecordFacts,
  type Subject,
  textElement,
} from './record.ts'
import type { ServiceFacts } from './service-facts.ts'
import { isXmlText } from './xml.ts'

/** The facts of a record, and what of them it cannot say. */
export interface ReadyFacts {
  /** Undefined where a record cannot do without what is not known: a title. */
  readonly facts: RecordFacts | undefined
  /** The fields whose values would not be read back as they are, and are left out. */
  readonly lost: readonly string[]
  /** The fields that ONIX has no place for. */
  readonly unsaid: readonly string[]
}

interface Sources {
  readonly there: ServiceFacts
  /** What a sheet or message says of it. */
  readonly product?: Pick<Product, 'overrides' | 'optional' | 'proprietaryId'> | undefined
  readonly file?: FileFacts | undefined
  readonly reference: string
}

/** Metadata keys whose values ONIX has elements for; `catalogue plan` reads them back. */
const withElement = [
  ...['imprint', 'publicationDate', 'onSaleDate', 'subjects', 'keywords', 'series', 'accessibility'],
  ...['usageRights', 'artificialMakers'],
] as const
type WithElement = (typeof withElement)[number]

/**
 * What is known of a book: what the service says, then what the source says where the service says nothing, and what only
 * the file tells.
 */
export function recordFacts({ there, product, file, reference }: Sources): ReadyFacts {
  const lost: string[] = []
  const keep = <T>(field: string, text: unknown, read: (text: string) => T | undefined): T | undefined => {
    if (text === undefined || text === null || text === '') return undefined
    const value = typeof text === 'string' && isXmlText(text) ? read(text) : undefined
    if (value === undefined) lost.push(field)
    return value
  }
  const asIs = (text: string): string | undefined => (text.trim() === '' ? undefined : text)
  const { values, ofFile } = there
  const { overrides = {}, optional = {}, proprietaryId } = product ?? {}
  const metadata = values.metadata ?? {}
  const known = (name: WithElement): unknown => metadata[name] ?? (optional as Record<string, unknown>)[name]

  const title = keep('title', values.title ?? overrides.title, asIs)
  const authors = values.author ?? overrides.author ?? []
  const isNamed = authors.every(author => isXmlText(author) && author.trim() !== '')
  if (!isNamed) lost.push('author')
  const { form, details } = formOfType(there.type)
  const publisher = keep('publisher', values.publisher ?? overrides.publisher, asIs)
  const imprints = keep('metadata.imprint', known('imprint'), splitList) ?? []
  const dates = [
    ...(keep('metadata.publicationDate', known('publicationDate'), text => dateOf('01', text)) ?? []),
    ...(keep('metadata.onSaleDate', known('onSaleDate'), text => dateOf('02', text)) ?? []),
  ]
  const isPublished = publisher !== undefined || imprints.length > 0
  if (!isPublished && dates.length > 0) lost.push(...datesOf(dates))
  const said = keep('metadata.accessibility', metadata['accessibility'], statementsOf) ?? []
  const permitted = keep('metadata.usageRights', metadata['usageRights'], usageOf) ?? []
  const artificial = keep('metadata.artificialMakers', metadata['artificialMakers'], makersOf) ?? []
  const facts = title !== undefined && {
    reference,
    publicationId: there.publicationId,
    isbn: isbnOf(values, lost),
    proprietaryId: keep('its own identifier', proprietaryId, asIs),
    form,
    formDetails: [...details, ...layoutOf(there, file)],
    features: [...said, ...notAmong(said, file?.accessibility ?? []), ...versionOf(there, file)],
    usage: [
      ...permitted,
      ...(file?.usage ?? []).filter(({ type }) => !permitted.some(each => each.type === type)),
    ],
    licenses: file?.licenses ?? [],
    title,
    contributors: [...contributorsOf(isNamed ? authors : [], namedIn(file)), ...artificial],
    language: keep('language', values.language ?? overrides.language, languageCode),
    extents: extentsOf(ofFile, there, file),
    subjects: [
      ...(keep('metadata.subjects', known('subjects'), subjectsOf) ?? []),
      ...(keep('metadata.keywords', known('keywords'), keywordsOf) ?? []),
    ],
    series: keep('metadata.series', known('series'), seriesOf) ?? [],
    description: keep('description', values.description ?? overrides.description, readable),
    imprints,
    publisher,
    dates: isPublished ? dates : [],
  }
  return { facts: facts || undefined, lost, unsaid: unsaidOf(values) }
}

/** The creators whose names XML can have. */
const namedIn = (file: FileFacts | undefined) =>
  (file?.creators ?? []).filter(({ name, fileAs = '' }) => isXmlText(name + fileAs) && name.trim() !== '')

function isbnOf({ isbn, metadata = {} }: ServiceFacts['values'], lost: string[]): string | undefined {
  if (metadata['isbn'] !== undefined) lost.push('isbn')
  return isbn
}

/** What the service has and ONIX has no element for. */
function unsaidOf({ metadata = {}, collection, sampleItem, internal }: ServiceFacts['values']): string[] {
  const others = Object.keys(metadata).filter(
    key => key !== 'isbn' && !withElement.some(each => each === key),
  )
  return [
    ...others.map(key => `metadata.${key}`),
    ...(collection ? ['collection'] : []),
    ...(sampleItem ? ['sample-item'] : []),
    ...(internal ? ['internal'] : []),
  ]
}

/** The detail of list 175 that an EPUB is reflowable or of fixed layout, by its file, or else by the service. */
function layoutOf({ type, ofFile }: ServiceFacts, file: FileFacts | undefined): string[] {
  if (type !== 'EPUB') return []
  if (file) return [file.isFixed ? 'E201' : 'E200']
  const { layoutType } = ofFile
  return layoutType === 'REFLOWABLE' ? ['E200'] : layoutType === 'FIXED' ? ['E201'] : []
}

/**
 * The version of EPUB that the file says it follows. A package of version 3.0 may follow EPUB 3.0 to 3.3, so no code of list 220
 * follows from that.
 */
function versionOf({ type, ofFile }: ServiceFacts, file: FileFacts | undefined): Feature[] {
  const version = file?.epubVersion ?? ofFile['epubVersion'] ?? ''
  return type === 'EPUB' && /^\d(\.\d+)+$/.test(version)
    ? [{ type: featureTypes.version, value: version }]
    : []
}

/** The size in bytes, the pages where they are fixed, and how long it plays. */
function extentsOf(
  { fileSize = '', pageCount = '' }: ServiceFacts['ofFile'],
  { type, edition, ofFile }: ServiceFacts,
  file: FileFacts | undefined,
): Extent[] {
  const isPaged = type === 'PDF' || file?.isFixed || ofFile['layoutType'] === 'FIXED'
  const pages = file?.pages ?? Number(pageCount)
  const bytes = edition.bytes ?? Number(fileSize)
  const playing = playingTime(file?.duration)
  return [
    ...(isPaged && Number.isSafeInteger(pages) && pages > 0 ? [extent('07', `${pages}`, '03')] : []),
    ...(playing === undefined ? [] : [extent('09', playing, '16')]),
    ...(Number.isSafeInteger(bytes) && bytes > 0 ? [extent('22', `${bytes}`, '17')] : []),
  ]
}

const extent = (type: string, value: string, unit: string): Extent => ({ type, value, unit })

/** Hours, minutes and seconds as HHHMMSS. */
function playingTime(seconds: number | undefined): string | undefined {
  const all = Math.round(seconds ?? 0)
  if (!(all > 0 && all < 1000 * 3600)) return undefined
  const parts = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  return parts.map((part, index) => String(part).padStart(index === 0 ? 3 : 2, '0')).join('')
}

const splitList = (text: string): string[] | undefined => {
  const parts = text
    .split(';')
    .map(part => part.trim())
    .filter(Boolean)
  return parts.length > 0 && isSameText(parts.join('; '), text) ? parts : undefined
}

/** The date of a role in list 163, from `2026-08-07`, `2026-08`, `2026`, or a text. */
function dateOf(role: string, text: string): PublishingDate[] | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text.trim()) ?? []
  if (text.trim() === '') return undefined
  if (year === undefined) return [{ role, date: text, format: '12' }]
  return [{ role, date: [year, month, day].join(''), format: day ? '00' : month ? '01' : '05' }]
}

const datesOf = (dates: readonly PublishingDate[]): string[] =>
  dates.map(({ role }) => (role === '01' ? 'metadata.publicationDate' : 'metadata.onSaleDate'))

/** The scheme of list 27 of a code of Thema: a subject, or a qualifier by its first digit. */
const schemeOfThema = (code: string): string => (/^[1-6]/.test(code) ? `${93 + Number(code[0])}` : '93')

/** Subjects from a text such as `BISAC FIC022000; Thema FFP`. */
function subjectsOf(text: string): Subject[] | undefined {
  const parts = splitList(text)?.map(part => /^(BISAC|Thema) (\S+)$/.exec(part))
  if (parts === undefined || parts.some(part => part === null)) return undefined
  return parts.map(part => {
    const [, name = '', code = ''] = part ?? []
    return { scheme: name === 'BISAC' ? '10' : schemeOfThema(code), code }
  })
}

const keywordsOf = (text: string): Subject[] | undefined =>
  text.trim() === '' ? undefined : [{ scheme: '20', text: text.replace(/\s+/g, ' ').trim() }]

/** BookSeries from a text such as `The Waters, 2; Rivers`. */
const seriesOf = (text: string): BookSeries[] | undefined =>
  splitList(text)?.map(part => {
    const [, title, number] = /^(.+), (\d{1,3})$/.exec(part) ?? []
    return title === undefined || number === undefined ? { title: part } : { title, number }
  })

const codeByName: ReadonlyMap<string, string> = new Map(
  Object.entries(list196).map(([code, name]) => [name, code]),
)

/** Statements of list 196 from a text that `catalogue plan` has made of them. */
function statementsOf(text: string): Feature[] | undefined {
  const statements: { type: string; value: string; description?: string }[] = []
  for (const part of text.split('; ')) {
    const [name = '', ...more] = part.split(': ')
    const unnamed = /^code (\d\d)$/.exec(name)?.[1] ?? ''
    const code =
      codeByName.get(name) ?? (list196[unnamed] === undefined && unnamed !== '' ? unnamed : undefined)
    const last = statements.at(-1)
    if (code !== undefined)
      statements.push({
        type: featureTypes.accessibility,
        value: code,
        ...(more.length > 0 && { description: more.join(': ') }),
      })
    // A description may have semicolons, too.
    else if (last?.description !== undefined) last.description += `; ${part}`
    else return undefined
  }
  return statements
}

const codeIn = (list: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.keys(list).find(code => list[code] === name)

/** Constraints without limits, from a text that `catalogue plan` has made of them. */
function usageOf(text: string): UsageConstraint[] | undefined {
  const constraints = text.split('; ').map(part => {
    const [what = '', how = ''] = part.split(': ')
    return { type: codeIn(list145, what), status: codeIn(list146, how) }
  })
  return constraints.every(({ type, status }) => type !== undefined && status !== undefined)
    ? (constraints as UsageConstraint[])
    : undefined
}

/** Makers that are no people, without names, from a text that `catalogue plan` has made of them. */
function makersOf(text: string): Contributor[] | undefined {
  const makers = text.split('; ').map(part => {
    const [, name = '', roles = ''] = /^(.+) \(([A-Z]\d\d(?:, [A-Z]\d\d)*)\)$/.exec(part) ?? []
    return { name: '', artificial: codeIn(artificialMakers, name), roles: roles.split(', ') }
  })
  return makers.every(({ artificial }) => artificial !== undefined) ? (makers as Contributor[]) : undefined
}

/** A text that is read back as it is: not one that looks like HTML, which every reader would take for that. */
const readable = (text: string): string | undefined => {
  if (text.trim() === '') return undefined
  if (!/[<&\n\r]/.test(text)) return text
  const element = textElement(text)
  const read = localTextOf('', { name: 'TextContent', attributes: {}, content: [element] })
  return isSameText(read, text) ? text : undefined
}

/** The features whose code is none of others, and whose description XML can have. */
const notAmong = (others: readonly Feature[], features: readonly Feature[]): Feature[] =>
  features.filter(
    ({ type, value, description = '' }) =>
      isXmlText(description) && !others.some(each => each.type === type && each.value === value),
  )
