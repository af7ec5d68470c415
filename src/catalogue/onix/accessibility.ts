import { list196 } from '../../books/accessibility/onix-list-196.ts'
import { elementsIn, type OnixElement, valueIn } from './element.ts'

/** Type of product form feature (list 79): accessibility of a digital product. */
const accessibility = '09'

/**
 * What a record says of the book's accessibility: each statement by its name in list 196, or by its code where the list does
 * not have it, with the description that goes with it.
 */
export const accessibilityOf = (detail: OnixElement | undefined): string =>
  elementsIn(detail, 'ProductFormFeature')
    .filter(feature => valueIn(feature, 'ProductFormFeatureType') === accessibility)
    .map(feature => {
      const code = valueIn(feature, 'ProductFormFeatureValue')
      const name = list196[code] ?? (code === '' ? '' : `code ${code}`)
      return [name, valueIn(feature, 'ProductFormFeatureDescription')].filter(Boolean).join(': ')
    })
    .filter(Boolean)
    .join('; ')
