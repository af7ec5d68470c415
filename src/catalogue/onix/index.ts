import { list196 } from '../../books/accessibility/onix-list-196.ts'
import type { Declared } from '../../plan/declared.ts'
import type { BrokenProduct, OptionalKey, Product } from '../../plan/product.ts'
import { given } from '../../system/given.ts'
import type { Source } from '../../uploads/inputs/source.ts'
import { authorsOf } from './authors.ts'
import { BrokenRecord } from './broken.ts'
import { artificialTextOf, declaredIn, usageTextOf } from './declared.ts'
import { elementIn, elementsIn, type OnixElement, valueIn, valuesIn } from './element.ts'
import { formOf } from './form.ts'
import { identifiersOf, tellableIdentifiersOf } from './identifiers.ts'
import { readMessage } from './message.ts'
import { notificationOf } from './notification.ts'
import { localTextOf } from './plain-text.ts'
import { dateRoles, imprintOf, publisherOf, publishingDateOf } from './publishing.ts'
import type { OnixRecord } from './record-parser.ts'
import { notForSale } from './sale.ts'
import { seriesOf, titleOf } from './titles.ts'

/** The products of an ONIX message. Throws UsageFailure `bad_onix` if the message as a whole cannot be used. */
export async function* onixProducts(source: Source): AsyncGenerator<Product | BrokenProduct> {
  for await (const record of readMessage(source)) yield productOf(source.path, record)
}

function productOf(path: string, record: OnixRecord): Product | BrokenProduct {
  const { product, line, number, sentAt } = record
  const reference = valueIn(product, 'RecordReference')
  const from = { onix: path, record: reference || `record ${number}`, line }
  const saysSale = notForSale(product) !== undefined
  const inTime = reference === '' ? {} : { record: { reference, sentAt, saysSale } }
  try {
    return { from, ...fieldsOfRecord(record), ...inTime }
  } catch (error) {
    if (!(error instanceof BrokenRecord)) throw error
    const { isbn, proprietary, publicationId } = tellableIdentifiersOf(product)
    const names = given({
      isbn,
      publicationId,
      proprietaryId: proprietary,
      title: titleOf(elementIn(product, 'DescriptiveDetail')),
    })
    return { from, broken: error.message, ...names, ...inTime }
  }
}

function fieldsOfRecord(record: OnixRecord): Omit<Product, 'from'> {
  const { product, counts } = record
  const notification = notificationOf(product)
  const withdrawn = notification.withdrawn ?? notForSale(product) ?? null
  const isWhole = !notification.isPartial && withdrawn === null
  const detail = elementIn(product, 'DescriptiveDetail')
  const form = notification.ignored === null ? formOf(detail, isWhole) : null
  const ignored = notification.ignored ?? form?.ignored ?? null
  // What is not looked at is not refused for its values either.
  const { isbn, proprietary, publicationId } =
    ignored === null ? identifiersOf(product) : tellableIdentifiersOf(product)
  const title = titleOf(detail)
  const leftOut: string[] = []
  const declared = ignored === null ? declaredIn(product, why => void leftOut.push(why)) : undefined
  if (title === '' && isWhole && ignored === null) throw new BrokenRecord('it has no title')
  return {
    ...{ publicationId: publicationId ?? null, key: null, file: null },
    ...(proprietary !== undefined && { proprietaryId: proprietary }),
    overrides:
      ignored === null ? given({ isbn, title, ...fieldsOf(record, isWhole) }) : given({ isbn, title }),
    optional: ignored === null ? given(optionalOf(product, declared, why => void leftOut.push(why))) : {},
    ...{ type: form?.type ?? null, isReflowable: form?.isReflowable ?? null, ignored },
    ...{ withdrawn, isPartial: notification.isPartial },
    dropped: { prices: counts.Price, rights: counts.SalesRights },
    ...(declared && { declared }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

function fieldsOf({ product, defaultLanguage }: OnixRecord, isWhole: boolean) {
  const detail = elementIn(product, 'DescriptiveDetail')
  const language = languageOf(detail)
  return {
    author: authorsOf(detail),
    language: language || (isWhole ? defaultLanguage : ''),
    description: descriptionOf(elementIn(product, 'CollateralDetail'), language || defaultLanguage),
    publisher: publisherOf(elementIn(product, 'PublishingDetail')),
  }
}

/** Language role of list 22: language of text. */
const ofText = '01'

/** The code of the book's language, of ISO 639-2/B. */
const languageOf = (detail: OnixElement | undefined): string =>
  elementsIn(detail, 'Language')
    .filter(language => valueIn(language, 'LanguageRole') === ofText)
    .map(language => valueIn(language, 'LanguageCode'))
    .find(Boolean) ?? ''

function optionalOf(
  product: OnixElement,
  declared: Declared = {},
  leftOut: (why: string) => void,
): Record<OptionalKey, string> {
  const detail = elementIn(product, 'DescriptiveDetail')
  const publishing = elementIn(product, 'PublishingDetail')
  return {
    imprint: imprintOf(publishing),
    publicationDate: publishingDateOf(publishing, dateRoles.publication, leftOut),
    subjects: subjectsOf(detail),
    keywords: keywordsOf(detail),
    series: seriesOf(detail),
    accessibility: accessibilityOf(declared),
    usageRights: usageTextOf(declared),
    artificialMakers: artificialTextOf(declared),
    onSaleDate: declared.onSaleDate ?? '',
  }
}

/**
 * What a record says of the book's accessibility: each statement by its name in list 196, or by its code where the list does
 * not have it, with the description that goes with it.
 */
const accessibilityOf = ({ accessibility = [] }: Declared): string =>
  accessibility
    .map(({ value, description = '' }) => {
      const name = list196[value] ?? (value === '' ? '' : `code ${value}`)
      return [name, description].filter(Boolean).join(': ')
    })
    .join('; ')

/** Text types of list 153, the best first: description, short description. */
const wanted = ['03', '02']

/** Audiences of list 154 that readers belong to: unrestricted, end customers. A text for the trade is never taken. */
const readers = ['00', '03']

/** The description for readers as plain text; empty if there is none. */
function descriptionOf(collateral: OnixElement | undefined, language: string): string {
  const contents = elementsIn(collateral, 'TextContent').filter(content => {
    const audiences = valuesIn(content, 'ContentAudience')
    return audiences.length === 0 || audiences.some(each => readers.includes(each))
  })
  for (const type of wanted) {
    for (const content of contents) {
      const text = valueIn(content, 'TextType') === type ? localTextOf(language, content) : ''
      if (text !== '') return text
    }
  }
  return ''
}

/** Subject schemes of list 27: BISAC subject headings, Thema categories and qualifiers, keywords. */
const bisac = '10'
const thema = ['93', '94', '95', '96', '97', '98', '99']
const keywords = '20'

/** The codes of BISAC and Thema, such as `BISAC FIC022000; Thema FFP; Thema 1DNS`. */
const subjectsOf = (detail: OnixElement | undefined): string =>
  elementsIn(detail, 'Subject')
    .flatMap(subject => {
      const scheme = valueIn(subject, 'SubjectSchemeIdentifier')
      const code = valueIn(subject, 'SubjectCode')
      if (code === '' || !(scheme === bisac || thema.includes(scheme))) return []
      return [`${scheme === bisac ? 'BISAC' : 'Thema'} ${code}`]
    })
    .join('; ')

/** The keywords as they are written; they are separated by semicolons. */
const keywordsOf = (detail: OnixElement | undefined): string =>
  elementsIn(detail, 'Subject')
    .filter(subject => valueIn(subject, 'SubjectSchemeIdentifier') === keywords)
    .map(subject => valueIn(subject, 'SubjectHeadingText'))
    .filter(Boolean)
    .join('; ')
