import { list196 } from '../../books/accessibility/onix-list-196.ts'
import { list145, list146 } from '../../books/rights/onix-lists.ts'
import { elementsIn, type OnixElement, valueIn } from '../onix/element.ts'
import type { Addable } from './addable.ts'
import { element, leaf } from './elements.ts'
import type { FeedRecord } from './feed-blocks.ts'
import { type Feature, type FileFacts, featureTypes } from './file-facts.ts'
import { featureElement, licenseElement, usageElement } from './record.ts'

/** What a file says and a record does not. */
interface Missing {
  /** Undefined if nothing is missing. */
  readonly update: OnixElement | undefined
  /** Where file and record exclude each other; the record is left as it is. Clauses. */
  readonly contradictions: readonly string[]
}

/**
 * The update of block 1 (notification 04) that adds to a record what the file says besides. Receivers replace the whole block,
 * so the update has all of it.
 */
export function amendmentOf(record: FeedRecord, file: FileFacts, kinds: readonly Addable[]): Missing {
  const { detail } = record
  const contradictions: string[] = []
  const features = kinds.includes('accessibility') ? featuresFor(detail, file, contradictions) : []
  const usage = kinds.includes('rights') ? usageFor(detail, file, contradictions) : []
  const hasLicense = elementsIn(detail, 'EpubLicense').length > 0
  const licenses = kinds.includes('rights') && !hasLicense ? file.licenses : []
  const added = [...features.map(featureElement), ...usage.map(usageElement), ...licenses.map(licenseElement)]
  const left = features.some(({ type }) => type === featureTypes.accessibility)
    ? withoutUnknown(detail)
    : detail
  return { contradictions, update: added.length === 0 ? undefined : updateOf(record, left, added) }
}

const updateOf = (
  { reference, identifiers }: FeedRecord,
  detail: OnixElement,
  added: readonly OnixElement[],
): OnixElement =>
  element(
    'Product',
    leaf('RecordReference', reference),
    leaf('NotificationType', '04'),
    identifiers,
    element(detail.name, added.reduce(inserted, elementsOf(detail))),
  )

const elementsOf = ({ content }: OnixElement): OnixElement[] =>
  content.filter(child => typeof child !== 'string')

/** The elements with which block 1 begins, in the order of the schema. */
const order = [
  ...['ProductComposition', 'ProductForm', 'ProductFormDetail', 'ProductFormFeature', 'ProductPackaging'],
  ...['ProductFormDescription', 'TradeCategory', 'PrimaryContentType', 'ProductContentType', 'Measure'],
  ...['CountryOfManufacture', 'EpubTechnicalProtection', 'EpubUsageConstraint', 'EpubLicense'],
]

/** Elements with one more, behind all that stand before it in the schema. */
function inserted(elements: readonly OnixElement[], element: OnixElement): OnixElement[] {
  const before = order.slice(0, order.indexOf(element.name) + 1)
  const at = elements.findLastIndex(({ name }) => before.includes(name)) + 1
  return [...elements.slice(0, at), element, ...elements.slice(at)]
}

/** Codes that exclude each other: levels and versions of WCAG, and what is said of each hazard. */
const alternatives: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [featureTypes.accessibility]: [
    ['80', '81', '82'],
    ['84', '85', '86'],
  ],
  [featureTypes.hazard]: [
    ['13', '14', '24'],
    ['15', '16', '25'],
    ['17', '18', '26'],
    ['00', '13'],
    ['00', '15'],
    ['00', '17'],
  ],
}

/** Codes of list 196: nothing is known, and little is accessible. */
const [unknown, inaccessible] = ['08', '09']

function featuresFor(detail: OnixElement, file: FileFacts, contradictions: string[]): Feature[] {
  const there = elementsIn(detail, 'ProductFormFeature').map(feature => ({
    type: valueIn(feature, 'ProductFormFeatureType'),
    value: valueIn(feature, 'ProductFormFeatureValue'),
  }))
  const has = (type: string, value: string | undefined) =>
    there.some(each => each.type === type && each.value === value)
  return file.accessibility.filter(({ type, value = '' }) => {
    // A file that says nothing of itself adds nothing.
    if (has(type, value) || (type === featureTypes.accessibility && value === unknown)) return false
    const others = (alternatives[type] ?? []).filter(codes => codes.includes(value)).flat()
    const other = others.find(code => code !== value && has(type, code))
    const isDenied = type === featureTypes.accessibility && value !== inaccessible && has(type, inaccessible)
    if (other === undefined && !isDenied) return true
    const [said, says] = [other ?? inaccessible, value].map(code => namedCode(type, code))
    contradictions.push(`its record says ${said}, and its file ${says}`)
    return false
  })
}

const namedCode = (type: string, code: string): string =>
  type === featureTypes.accessibility ? `"${list196[code] ?? `code ${code}`}"` : `hazard ${code} of list 143`

/** A record does not say any more that nothing is known. */
const withoutUnknown = (detail: OnixElement): OnixElement => ({
  ...detail,
  content: detail.content.filter(
    child =>
      typeof child === 'string' ||
      child.name !== 'ProductFormFeature' ||
      valueIn(child, 'ProductFormFeatureType') !== featureTypes.accessibility ||
      valueIn(child, 'ProductFormFeatureValue') !== unknown,
  ),
})

function usageFor(detail: OnixElement, file: FileFacts, contradictions: string[]): FileFacts['usage'] {
  const there = elementsIn(detail, 'EpubUsageConstraint')
  return file.usage.filter(({ type, status }) => {
    const same = there.filter(each => valueIn(each, 'EpubUsageType') === type)
    const other = same.map(each => valueIn(each, 'EpubUsageStatus')).find(each => each !== status)
    if (other !== undefined)
      contradictions.push(
        `its record says "${list145[type]}: ${list146[other] ?? `code ${other}`}", and its file "${list146[status]}"`,
      )
    return same.length === 0
  })
}
