import { quotedText } from '../book.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import type { Content } from './check-content.ts'
import { fallbacksOf, isEpub3, isPage, type Package } from './package.ts'
import { nameFault, prefixesOf } from './property-names.ts'
import { itemrefProperties } from './vocabulary.ts'

/** Adds what is wrong with the reading order. */
export function checkSpine(from: Package, problems: Problems): void {
  const add = problemsIn(problems, from.path)
  const { spine } = from
  if (spine.length === 0) add('error', 'spine_empty', 'The book has no reading order.')
  else if (spine.every(({ isLinear }) => !isLinear)) {
    add(
      'warning',
      'spine_not_linear',
      'Every item of the reading order is declared as linear="no".',
      spine[0]?.position,
    )
  }
  checkProperties(from, add)
  const seen = new Set<string>()
  for (const { idref, item, position } of spine) {
    if (item === undefined) {
      const message = `The reading order names ${quotedText(idref)}, which the manifest does not have.`
      add('error', 'spine_item_unknown', message, position)
      continue
    }
    if (seen.has(idref)) {
      add('warning', 'spine_item_repeated', `The reading order names ${quotedText(idref)} twice.`, position)
    }
    seen.add(idref)
    if (item.isRemote) {
      const message = `The reading order names ${quotedText(item.href)}, which lies outside the book.`
      add('warning', 'spine_item_remote', message, position)
    } else if (![item, ...fallbacksOf(from, item)].some(isPage)) {
      const message = `${quotedText(item.href)} stands in the reading order; it is ${item.mediaType || 'of no type'} and has no page as its fallback.`
      add('warning', 'spine_item_foreign', message, position)
    }
  }
}

/** Adds the properties of the places that are not known, or that exclude each other. */
function checkProperties(from: Package, add: ReturnType<typeof problemsIn>): void {
  if (!isEpub3(from)) return
  const prefixes = prefixesOf(from)
  const isKnown = (name: string) => name.startsWith('rendition:align-x-') || knownProperties.has(name)
  for (const { properties, position } of from.spine) {
    for (const name of properties) {
      const fault = nameFault(name, isKnown, prefixes)
      if (fault) add('warning', fault.code, fault.message, position)
      else if (name === 'rendition:spread-portrait') {
        add(
          'warning',
          'property_deprecated',
          `The property ${quotedText(name)} is not used any more.`,
          position,
        )
      }
    }
    for (const group of itemrefProperties) {
      const both = properties.filter(name => group.includes(name))
      if (both.length < 2) continue
      add(
        'warning',
        'property_conflict',
        `The properties ${both.join(' and ')} exclude each other.`,
        position,
      )
    }
  }
}

const knownProperties = new Set(itemrefProperties.flat())

/** Adds the pages outside the main order that nothing leads to. */
export function checkReachable(
  zip: Zip,
  { spine, path, version }: Package,
  { isComplete, isScripted, linked }: Content,
  problems: Problems,
): void {
  if (!isComplete || isScripted || !version?.startsWith('3')) return
  for (const { item, isLinear, position } of spine) {
    if (isLinear || item?.path === undefined || linked.has(item.path) || !zip.entries.has(item.path)) continue
    // Reading systems open the table of contents themselves.
    if (item.properties.includes('nav')) continue
    const message = `${item.path} is not in the main order (linear="no"), and nothing leads to it.`
    problemsIn(problems, path)('warning', 'spine_item_unreachable', message, position)
  }
}
