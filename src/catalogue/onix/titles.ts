import { joined } from './authors.ts'
import { elementIn, elementsIn, type OnixElement, valueIn } from './element.ts'

/** Title types of list 15: distinctive title, and else undefined. */
const distinctive = ['01', '00']

/** Levels of title elements, list 149. */
const levels = { product: '01', collection: '02' } as const

/** The distinctive title of a product or collection, with all its elements. */
const detailOf = (within: OnixElement | undefined): OnixElement | undefined =>
  distinctive
    .map(type => elementsIn(within, 'TitleDetail').find(detail => valueIn(detail, 'TitleType') === type))
    .find(detail => detail !== undefined)

const elementOf = (detail: OnixElement | undefined, level: string): OnixElement | undefined =>
  elementsIn(detail, 'TitleElement').find(element => valueIn(element, 'TitleElementLevel') === level)

/** The title in an element: its prefix and the rest, or the whole, and then the subtitle. */
function textOf(element: OnixElement | undefined): string {
  const rest = valueIn(element, 'TitleWithoutPrefix')
  const title = rest === '' ? valueIn(element, 'TitleText') : joined([valueIn(element, 'TitlePrefix'), rest])
  const subtitle = valueIn(element, 'Subtitle')
  return title === '' || subtitle === '' ? title : `${title}: ${subtitle}`
}

/** The title of the product; empty if there is none. A volume without a title of its own has that of its collection. */
export function titleOf(detail: OnixElement | undefined): string {
  const title = detailOf(detail)
  const own = elementOf(title, levels.product)
  if (own === undefined) return ''
  return textOf(own) || withNumber(textOf(elementOf(title, levels.collection)), valueIn(own, 'PartNumber'))
}

/** Collection types of list 148 that are not only somebody else's. */
const ofThePublisher = ['10', '11', '00', '']

/** The collections of the publisher that the product belongs to, each with its number in it, separated by semicolons. */
export const seriesOf = (detail: OnixElement | undefined): string => {
  const named = elementsIn(detail, 'Collection')
    .filter(collection => ofThePublisher.includes(valueIn(collection, 'CollectionType')))
    .map(nameOfCollection)
    .filter(Boolean)
  if (named.length > 0) return named.join('; ')
  const title = detailOf(detail)
  const own = valueIn(elementOf(title, levels.product), 'PartNumber')
  return withNumber(textOf(elementOf(title, levels.collection)), own)
}

function nameOfCollection(collection: OnixElement): string {
  const title = detailOf(collection) ?? elementIn(collection, 'TitleDetail')
  const [whole, part] = [levels.collection, levels.product].map(level => elementOf(title, level))
  const number =
    valueIn(part, 'PartNumber') ||
    valueIn(whole, 'PartNumber') ||
    valueIn(elementIn(collection, 'CollectionSequence'), 'CollectionSequenceNumber')
  return withNumber(textOf(whole), number)
}

const withNumber = (title: string, number: string): string =>
  title === '' || number === '' ? title : `${title}, ${number}`
