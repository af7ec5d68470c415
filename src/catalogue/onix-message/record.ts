import type { UsageConstraint } from '../../plan/declared.ts'
import type { PublicationType } from '../../service/contract/publication-type.ts'
import type { OnixElement } from '../onix/element.ts'
import { ownIdentifier } from '../onix/identifiers.ts'
import type { Contributor } from './contributor-roles.ts'
import { composite, type ElementPart, element, leaf } from './elements.ts'
import type { Feature, UsageLicense } from './file-facts.ts'
import { oneLine } from './xml.ts'

/** What a record of ONIX says of a book. What is not known is missing. */
export interface RecordFacts {
  readonly reference: string
  readonly publicationId: string
  /** Thirteen digits. */
  readonly isbn?: string | undefined
  /** The publisher's own identifier. */
  readonly proprietaryId?: string | undefined
  /** Codes of lists 150 and 175. */
  readonly form: string
  readonly formDetails: readonly string[]
  readonly features: readonly Feature[]
  readonly usage: readonly UsageConstraint[]
  readonly licenses: readonly UsageLicense[]
  readonly title: string
  readonly contributors: readonly Contributor[]
  readonly language?: { readonly code: string; readonly country?: string } | undefined
  readonly extents: readonly Extent[]
  readonly subjects: readonly Subject[]
  readonly series: readonly BookSeries[]
  readonly description?: string | undefined
  readonly imprints: readonly string[]
  readonly publisher?: string | undefined
  /** Each date by its role in list 163. */
  readonly dates: readonly PublishingDate[]
}

/** Codes of lists 23 and 24. */
export interface Extent {
  readonly type: string
  readonly value: string
  readonly unit: string
}

/** A scheme of list 27, with a code or a text. */
export interface Subject {
  readonly scheme: string
  readonly code?: string
  readonly text?: string
}

export interface BookSeries {
  readonly title: string
  readonly number?: string
}

/** A date in a format of list 55. */
export interface PublishingDate {
  readonly role: string
  readonly date: string
  readonly format: string
}

/** The product forms of list 150, with the detail of list 175, of what the service has; how it is delivered is not known. */
export const formOfType = (type: PublicationType | null): { form: string; details: readonly string[] } =>
  type === 'Audio'
    ? { form: 'AA', details: ['A113'] }
    : { form: 'EA', details: type === null ? [] : [type === 'EPUB' ? 'E101' : 'E107'] }

/** A whole record, its elements in the order of the schema. */
export const productRecord = (facts: RecordFacts): OnixElement =>
  element(
    'Product',
    leaf('RecordReference', facts.reference),
    leaf('NotificationType', '03'),
    identifiers(facts),
    descriptiveDetail(facts),
    composite('CollateralDetail', descriptionOf(facts)),
    publishingDetail(facts),
  )

const identifiers = ({ publicationId, isbn, proprietaryId }: RecordFacts): ElementPart => [
  proprietaryId === undefined
    ? undefined
    : composite('ProductIdentifier', leaf('ProductIDType', '01'), leaf('IDValue', oneLine(proprietaryId))),
  composite(
    'ProductIdentifier',
    leaf('ProductIDType', '01'),
    leaf('IDTypeName', ownIdentifier),
    leaf('IDValue', publicationId),
  ),
  isbn === undefined
    ? undefined
    : composite('ProductIdentifier', leaf('ProductIDType', '15'), leaf('IDValue', isbn)),
]

const descriptiveDetail = (facts: RecordFacts): OnixElement | undefined =>
  composite(
    'DescriptiveDetail',
    leaf('ProductComposition', '00'),
    leaf('ProductForm', facts.form),
    facts.formDetails.map(code => leaf('ProductFormDetail', code)),
    facts.features.map(featureElement),
    facts.usage.map(usageElement),
    facts.licenses.map(licenseElement),
    facts.series.map(seriesElement),
    titleElement(facts.title),
    facts.contributors.map(contributorElement),
    languageElement(facts),
    facts.extents.map(({ type, value, unit }) =>
      composite('Extent', leaf('ExtentType', type), leaf('ExtentValue', value), leaf('ExtentUnit', unit)),
    ),
    facts.subjects.map(({ scheme, code, text }) =>
      composite(
        'Subject',
        leaf('SubjectSchemeIdentifier', scheme),
        leaf('SubjectCode', code),
        leaf('SubjectHeadingText', text),
      ),
    ),
  )

export const featureElement = ({ type, value, description }: Feature): OnixElement =>
  element(
    'ProductFormFeature',
    leaf('ProductFormFeatureType', type),
    leaf('ProductFormFeatureValue', value),
    leaf('ProductFormFeatureDescription', description === undefined ? undefined : oneLine(description)),
  )

export const usageElement = ({ type, status }: UsageConstraint): OnixElement =>
  element('EpubUsageConstraint', leaf('EpubUsageType', type), leaf('EpubUsageStatus', status))

export const licenseElement = ({ name, expressionType, link }: UsageLicense): OnixElement =>
  element(
    'EpubLicense',
    leaf('EpubLicenseName', name),
    composite(
      'EpubLicenseExpression',
      leaf('EpubLicenseExpressionType', expressionType),
      leaf('EpubLicenseExpressionLink', link),
    ),
  )

const titleElement = (title: string): OnixElement | undefined =>
  composite(
    'TitleDetail',
    leaf('TitleType', '01'),
    composite('TitleElement', leaf('TitleElementLevel', '01'), leaf('TitleText', oneLine(title))),
  )

const seriesElement = ({ title, number }: BookSeries): OnixElement | undefined =>
  composite(
    'Collection',
    leaf('CollectionType', '10'),
    composite(
      'TitleDetail',
      leaf('TitleType', '01'),
      number === undefined
        ? undefined
        : composite('TitleElement', leaf('TitleElementLevel', '01'), leaf('PartNumber', number)),
      composite('TitleElement', leaf('TitleElementLevel', '02'), leaf('TitleText', oneLine(title))),
    ),
  )

const contributorElement = (
  { name, inverted, roles, artificial }: Contributor,
  index: number,
): OnixElement | undefined =>
  composite(
    'Contributor',
    leaf('SequenceNumber', index + 1),
    roles.map(role => leaf('ContributorRole', role)),
    leaf('PersonName', oneLine(name)),
    leaf('PersonNameInverted', inverted === undefined ? undefined : oneLine(inverted)),
    leaf('UnnamedPersons', artificial),
  )

const languageElement = ({ language }: RecordFacts): OnixElement | undefined =>
  language === undefined
    ? undefined
    : composite(
        'Language',
        leaf('LanguageRole', '01'),
        leaf('LanguageCode', language.code),
        leaf('CountryCode', language.country),
      )

const descriptionOf = ({ description }: RecordFacts): OnixElement | undefined =>
  description === undefined
    ? undefined
    : composite(
        'TextContent',
        leaf('TextType', '03'),
        leaf('ContentAudience', '00'),
        textElement(description),
      )

/** A text for readers. Several lines become paragraphs of XHTML, since blanks of XML mean nothing. */
export function textElement(text: string): OnixElement {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map(paragraph => paragraph.split('\n').map(oneLine).filter(Boolean))
    .filter(lines => lines.length > 0)
  if (paragraphs.length === 1 && paragraphs[0]?.length === 1)
    return { name: 'Text', attributes: {}, content: [paragraphs[0][0] as string] }
  return {
    name: 'Text',
    attributes: { textformat: '05' },
    content: paragraphs.map(lines => ({
      name: 'p',
      attributes: {},
      content: lines.flatMap((line, index) => (index === 0 ? [line] : [element('br'), line])),
    })),
  }
}

/** Needs a name of somebody: the schema has no dates without. */
const publishingDetail = ({ imprints, publisher, dates }: RecordFacts): OnixElement | undefined =>
  composite(
    'PublishingDetail',
    imprints.map(name => composite('Imprint', leaf('ImprintName', oneLine(name)))),
    publisher === undefined
      ? undefined
      : composite('Publisher', leaf('PublishingRole', '01'), leaf('PublisherName', oneLine(publisher))),
    dates.map(({ role, date, format }) =>
      composite(
        'PublishingDate',
        leaf('PublishingDateRole', role),
        leaf('Date', oneLine(date), { dateformat: format }),
      ),
    ),
  )
