import { elementIn, elementsIn, type OnixElement, valueIn, valuesIn } from './element.ts'

/** Publishing statuses of list 64 of what is not for sale, or is so no longer. */
const statuses: Readonly<Record<string, string>> = {
  '01': 'cancelled',
  '03': 'postponed indefinitely',
  '05': 'no longer a product of the publisher',
  '06': 'out of stock indefinitely',
  '07': 'out of print',
  '08': 'inactive',
  '10': 'remaindered',
  '11': 'withdrawn from sale',
  '12': 'recalled',
  '15': 'recalled',
  '16': 'temporarily withdrawn from sale',
  '17': 'permanently withdrawn from sale',
}

/**
 * Availabilities of list 65 of the same. What a supplier says of itself, such as 43 (no longer supplied by us), and what will
 * be there again, such as 31 (out of stock), are none of them.
 */
const availabilities: Readonly<Record<string, string>> = {
  '01': 'cancelled',
  '09': 'postponed indefinitely',
  '34': 'temporarily withdrawn from sale',
  '40': 'not available',
  '41': 'replaced by a new product',
  '42': 'available in another format only',
  '46': 'withdrawn from sale',
  '47': 'remaindered',
  '48': 'replaced by print on demand',
  '49': 'recalled',
  '51': 'out of print',
  '52': 'no longer sold in this market',
}

/**
 * Why a product is not for sale, by its publishing status, or else by its availability if that is the same everywhere; null if
 * it is for sale, and undefined if the record does not say. A clause such as "it is out of print (publishing status 07)".
 */
export function notForSale(product: OnixElement): string | null | undefined {
  const status = valueIn(elementIn(product, 'PublishingDetail'), 'PublishingStatus')
  const said = statuses[status]
  if (said !== undefined) return `it is ${said} (publishing status ${status})`
  const codes = elementsIn(product, 'ProductSupply')
    .flatMap(supply => elementsIn(supply, 'SupplyDetail'))
    .flatMap(supply => valuesIn(supply, 'ProductAvailability'))
  const [first = ''] = codes
  if (codes.length === 0) return status === '' ? undefined : null
  if (codes.some(code => availabilities[code] === undefined)) return null
  return `it is ${availabilities[first]} (availability ${[...new Set(codes)].join(', ')})`
}
