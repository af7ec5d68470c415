import type { BrokenProduct, OptionalKey, Product } from '../../plan/product.ts'
import type { Source } from '../../uploads/inputs/source.ts'
import { accessibilityOf } from './accessibility.ts'
import { authorsOf } from './authors.ts'
import { BrokenRecord } from './broken.ts'
import { descriptionOf } from './descriptions.ts'
import { elementIn, elementsIn, type OnixElement, valueIn } from './element.ts'
import { formOf } from './form.ts'
import { type Identifiers, identifiersOf } from './identifiers.ts'
import { readMessage } from './message.ts'
import { notificationOf } from './notification.ts'
import { imprintOf, publicationDateOf, publisherOf } from './publishing.ts'
import type { OnixRecord } from './record-parser.ts'
import { keywordsOf, subjectsOf } from './subjects.ts'
import { seriesOf, titleOf } from './titles.ts'

/** The products of an ONIX message. Throws UsageFailure `bad_onix` if the message as a whole cannot be used. */
export async function* onixProducts(source: Source): AsyncGenerator<Product | BrokenProduct> {
  for await (const record of readMessage(source)) yield productOf(source.path, record)
}

function productOf(path: string, record: OnixRecord): Product | BrokenProduct {
  const { product, line, number } = record
  const reference = valueIn(product, 'RecordReference') || `record ${number}`
  const from = { onix: path, record: reference, line }
  try {
    return { from, ...fieldsOfRecord(record) }
  } catch (error) {
    if (error instanceof BrokenRecord) return { from, broken: error.message }
    throw error
  }
}

function fieldsOfRecord(record: OnixRecord): Omit<Product, 'from'> {
  const { product, counts } = record
  const notification = notificationOf(product)
  const isWhole = !notification.isPartial && !notification.isWithdrawn
  const detail = elementIn(product, 'DescriptiveDetail')
  const form = notification.ignored === null ? formOf(detail, isWhole) : null
  const ignored = notification.ignored ?? form?.ignored ?? null
  // What is not looked at is not refused for its values either.
  const { isbn, proprietary } = ignored === null ? identifiersOf(product) : ({} as Identifiers)
  const title = titleOf(detail)
  if (title === '' && isWhole && ignored === null) throw new BrokenRecord('it has no title')
  return {
    ...{ publicationId: null, key: null, file: null },
    ...(proprietary !== undefined && { proprietaryId: proprietary }),
    overrides: ignored === null ? given({ isbn, title, ...fieldsOf(record, isWhole) }) : given({ title }),
    optional: ignored === null ? given(optionalOf(product)) : {},
    ...{ type: form?.type ?? null, isReflowable: form?.isReflowable ?? null, ignored },
    ...{ isWithdrawn: notification.isWithdrawn, isPartial: notification.isPartial },
    dropped: { prices: counts.Price, rights: counts.SalesRights },
  }
}

/** The fields that have a value. */
const given = <T extends object>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value?.length !== 0),
  ) as { [key in keyof T]?: Exclude<T[key], undefined> }

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

function optionalOf(product: OnixElement): Record<OptionalKey, string> {
  const detail = elementIn(product, 'DescriptiveDetail')
  const publishing = elementIn(product, 'PublishingDetail')
  return {
    imprint: imprintOf(publishing),
    publicationDate: publicationDateOf(publishing),
    subjects: subjectsOf(detail),
    keywords: keywordsOf(detail),
    series: seriesOf(detail),
    accessibility: accessibilityOf(detail),
  }
}
