import { artificialMakers, list145, list146, narratorRoles } from '../../books/rights/onix-lists.ts'
import type { ArtificialMaker, CodedFeature, Declared, UsageConstraint } from '../../plan/declared.ts'
import { given } from '../../system/given.ts'
import { nameOf } from './authors.ts'
import { elementIn, elementsIn, type OnixElement, valueIn, valuesIn } from './element.ts'
import { dateRoles, publishingDateOf } from './publishing.ts'

/** Types of product form features, list 79. */
const featureTypes = {
  accessibility: '09',
  formatVersion: '10',
  hazards: '12',
  formatVersionCode: '15',
  validator: '16',
} as const

/**
 * What a record declares of the book's rights, its makers and its access; undefined if it declares nothing of them. What
 * is no date is told to `leftOut`.
 */
export function declaredIn(product: OnixElement, leftOut: (why: string) => void): Declared | undefined {
  const detail = elementIn(product, 'DescriptiveDetail')
  const publishing = elementIn(product, 'PublishingDetail')
  const [numbers, codes] = [featureTypes.formatVersion, featureTypes.formatVersionCode].map(type =>
    featuresOf(detail, type).map(feature => ({ type, ...feature })),
  )
  const declared: Declared = given({
    usage: elementsIn(detail, 'EpubUsageConstraint').map(usageIn),
    licenses: elementsIn(detail, 'EpubLicense').map(license => ({
      name: valueIn(license, 'EpubLicenseName'),
      expressions: elementsIn(license, 'EpubLicenseExpression').map(expression => ({
        type: valueIn(expression, 'EpubLicenseExpressionType'),
        link: valueIn(expression, 'EpubLicenseExpressionLink'),
      })),
    })),
    artificial: elementsIn(detail, 'Contributor').flatMap(artificialIn),
    narrators: elementsIn(detail, 'Contributor').flatMap(narratorIn),
    accessibility: featuresOf(detail, featureTypes.accessibility),
    hazards: featuresOf(detail, featureTypes.hazards),
    formatVersions: [...(numbers ?? []), ...(codes ?? [])],
    validators: featuresOf(detail, featureTypes.validator),
    onSaleDate: publishingDateOf(publishing, dateRoles.onSale, leftOut),
  })
  return Object.keys(declared).length === 0 ? undefined : declared
}

/** The coded features of a type of list 79. */
const featuresOf = (detail: OnixElement | undefined, type: string): CodedFeature[] =>
  elementsIn(detail, 'ProductFormFeature')
    .filter(feature => valueIn(feature, 'ProductFormFeatureType') === type)
    .map(feature => ({
      value: valueIn(feature, 'ProductFormFeatureValue'),
      ...given({ description: valueIn(feature, 'ProductFormFeatureDescription') }),
    }))
    .filter(({ value, description }) => value !== '' || description !== undefined)

function usageIn(constraint: OnixElement): UsageConstraint {
  const limits = elementsIn(constraint, 'EpubUsageLimit').map(limit => ({
    quantity: valueIn(limit, 'Quantity'),
    unit: valueIn(limit, 'EpubUsageUnit'),
  }))
  return {
    type: valueIn(constraint, 'EpubUsageType'),
    status: valueIn(constraint, 'EpubUsageStatus'),
    ...(limits.length > 0 && { limits }),
  }
}

function artificialIn(contributor: OnixElement): ArtificialMaker[] {
  const code = valueIn(contributor, 'UnnamedPersons')
  if (artificialMakers[code] === undefined) return []
  const names = elementsIn(contributor, 'AlternativeName').map(nameOf).filter(Boolean)
  return [{ code, roles: valuesIn(contributor, 'ContributorRole'), names }]
}

function narratorIn(contributor: OnixElement): string[] {
  const reads = valuesIn(contributor, 'ContributorRole').some(role => narratorRoles.includes(role))
  const name = reads ? nameOf(contributor) : ''
  return name === '' ? [] : [name]
}

/** A constraint in words, by the lists: `Text and data mining: Prohibited`. */
const constraintText = ({ type, status, limits = [] }: UsageConstraint): string => {
  const what = list145[type] ?? `code ${type}`
  const how = list146[status] ?? (status === '' ? '' : `code ${status}`)
  const most = limits.map(({ quantity, unit }) => `${quantity} of unit ${unit}`)
  return [what, [how, ...most].filter(Boolean).join(', ')].filter(Boolean).join(': ')
}

/** The constraints and licences in words, separated by semicolons. */
export const usageTextOf = ({ usage = [], licenses = [] }: Declared): string =>
  [
    ...usage.filter(({ type }) => type !== '').map(constraintText),
    ...licenses.map(({ name, expressions }) =>
      ['License', name, ...expressions.map(({ link }) => link)].filter(Boolean).join(' '),
    ),
  ].join('; ')

/** The makers that are no people in words, each with the codes of its roles: `Synthesized voice – male (E07)`. */
export const artificialTextOf = ({ artificial = [] }: Declared): string =>
  artificial
    .map(({ code, roles, names }) => {
      const voice = [artificialMakers[code], ...names].join(', ')
      return roles.length === 0 ? voice : `${voice} (${roles.join(', ')})`
    })
    .join('; ')
