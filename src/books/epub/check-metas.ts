import { addTo } from '../../system/add-to.ts'
import { quotedText } from '../book.ts'
import { isElsewhere } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, textOf, type XmlElement } from '../xml.ts'
import { isEpub3, type Package } from './package.ts'
import { idsOf } from './package-ids.ts'
import { nameFault, prefixesOf } from './property-names.ts'
import { metaRules, reservedPrefixes } from './vocabulary.ts'

type Add = ReturnType<typeof problemsIn>

const ruleOf = (property: string) => (Object.hasOwn(metaRules, property) ? metaRules[property] : undefined)

/** Adds what is wrong with the properties in the metadata of an EPUB 3. */
export function checkMetas(from: Package, problems: Problems): void {
  if (!isEpub3(from)) return
  const add = problemsIn(problems, from.path)
  checkPrefixes(from, add)
  const prefixes = prefixesOf(from)
  const metas = from.metadata.filter(({ name }) => name === 'meta')
  const ids = idsOf(from)
  const seen = new Set<string>()
  for (const meta of metas) {
    const property = attributeOf(meta, 'property')
    // One with a name is of EPUB 2, and stands there for old reading systems.
    if (property === undefined && attributeOf(meta, 'name') !== undefined) continue
    checkMeta(meta, property, prefixes, add)
    if (property === undefined) continue
    const refines = attributeOf(meta, 'refines')
    checkTarget(meta, property, refines, ids, add)
    const of = `${property} ${ruleOf(property)?.isGlobal ? '' : (refines ?? '')}`
    if (ruleOf(property)?.isOnce && seen.has(of)) {
      add('warning', 'meta_doubled', `The metadata have ${quotedText(property)} twice.`, meta.position)
    }
    seen.add(of)
  }
  checkCircles(metas, add)
  checkSubjects(from, metas, add)
  checkModified(from, metas, add)
}

function checkPrefixes(from: Package, add: Add): void {
  for (const [prefix, address] of prefixesOf(from)) {
    const reserved = Object.hasOwn(reservedPrefixes, prefix) ? reservedPrefixes[prefix] : undefined
    if (reserved === undefined || reserved === address) continue
    const message = `The package declares the prefix ${quotedText(prefix)}, which EPUB gives another meaning.`
    add('warning', 'prefix_reserved', message, from.element.position)
  }
}

function checkMeta(
  meta: XmlElement,
  property: string | undefined,
  prefixes: ReadonlyMap<string, string>,
  add: Add,
): void {
  const { position } = meta
  const value = textOf(meta)
  if (property === undefined) {
    add('warning', 'property_name_wrong', 'A meta element does not say which property it is.', position)
    return
  }
  for (const [attribute, known] of [
    ['property', (name: string) => ruleOf(name) !== undefined],
    ['scheme', () => false],
  ] as const) {
    const name = attributeOf(meta, attribute)
    if (name === undefined) continue
    if (/\s/.test(name)) {
      const message = `${quotedText(name)} are several properties, and ${attribute}="…" is of one.`
      add('warning', 'property_name_wrong', message, position)
      continue
    }
    const fault = nameFault(name, known, prefixes)
    if (fault) add('warning', fault.code, fault.message, position)
  }
  const rule = ruleOf(property)
  if (value === '')
    add('warning', 'meta_empty', `The property ${quotedText(property)} has no value.`, position)
  else if (rule?.value && !isAllowed(rule.value[0], value)) {
    const message = `The property ${quotedText(property)} is ${quotedText(value)}, and has to be ${rule.value[1]}.`
    add('warning', 'meta_value_wrong', message, position)
  }
  if (rule?.isDeprecated) {
    add(
      'warning',
      'property_deprecated',
      `The property ${quotedText(property)} is not used any more.`,
      position,
    )
  }
}

const isAllowed = (allowed: RegExp | readonly string[], value: string): boolean =>
  allowed instanceof RegExp ? allowed.test(value) : allowed.includes(value)

/** Adds it when a property is not of what it can be of. */
function checkTarget(
  { position }: XmlElement,
  property: string,
  refines: string | undefined,
  ids: ReadonlyMap<string, string>,
  add: Add,
): void {
  const fault = targetFault(property, refines, ids)
  if (fault !== undefined) add('warning', 'refines_wrong', fault, position)
}

function targetFault(
  property: string,
  refines: string | undefined,
  ids: ReadonlyMap<string, string>,
): string | undefined {
  const { of, mayBeOf, isGlobal } = ruleOf(property) ?? {}
  const named = `The property ${quotedText(property)}`
  if (refines === undefined) return of && `${named} does not say which ${of.join(' or ')} it is of.`
  if (isElsewhere(refines))
    return `${quotedText(refines)} lies outside the book, where nothing can be refined.`
  if (isGlobal) return `${named} is of the whole book, and can refine nothing.`
  // What is no id is the address of a file of the book, of which a property of titles and the like says nothing.
  if (!refines.startsWith('#'))
    return (
      of &&
      `${named} is of ${quotedText(refines)}, which is no id (#…), and has to be of a ${of.join(' or ')}.`
    )
  const target = ids.get(refines.slice(1))
  if (target === undefined) return `The package has no id ${quotedText(refines.slice(1))} to be refined.`
  const allowed = of ?? mayBeOf
  if (!allowed || allowed.includes(target)) return undefined
  return `${named} is of a ${target}, and has to be of a ${allowed.join(' or ')}.`
}

/** Adds the properties that refine themselves, be it through others. */
function checkCircles(metas: readonly XmlElement[], add: Add): void {
  const byId = new Map(metas.map(meta => [attributeOf(meta, 'id') ?? '', meta]))
  byId.delete('')
  const next = (meta: XmlElement) => byId.get(attributeOf(meta, 'refines')?.replace(/^#/, '') ?? '')
  const done = new Set<XmlElement>()
  for (const start of byId.values()) {
    const chain = new Set<XmlElement>()
    let at: XmlElement | undefined = start
    while (at && !chain.has(at) && !done.has(at)) {
      chain.add(at)
      at = next(at)
    }
    if (at && chain.has(at))
      add('warning', 'refines_wrong', 'A property refines itself through others.', at.position)
    for (const meta of chain) done.add(meta)
  }
}

/** A subject has an authority and a term of it, or neither. */
function checkSubjects({ metadata }: Package, metas: readonly XmlElement[], add: Add): void {
  const byTarget = new Map<string, string[]>()
  for (const meta of metas) {
    const property = attributeOf(meta, 'property') ?? ''
    if (property !== 'authority' && property !== 'term') continue
    addTo(byTarget, attributeOf(meta, 'refines') ?? '', property)
  }
  for (const subject of metadata) {
    const given = subject.name === 'subject' && byTarget.get(`#${attributeOf(subject, 'id') ?? ''}`)
    if (!given || new Set(given).size === 2) continue
    const missing = given[0] === 'term' ? 'authority' : 'term'
    add('warning', 'meta_missing', `The subject has no property ${missing}.`, subject.position)
  }
}

function checkModified({ element, metadata }: Package, metas: readonly XmlElement[], add: Add): void {
  const times = metas.filter(
    meta =>
      attributeOf(meta, 'property') === 'dcterms:modified' && attributeOf(meta, 'refines') === undefined,
  )
  if (times.length === 0) {
    const message = 'The metadata do not say when the book was last changed (dcterms:modified).'
    add('warning', 'modified_missing', message, metadata[0]?.position ?? element.position)
  } else if (times.length > 1) {
    add('warning', 'meta_doubled', 'The metadata have "dcterms:modified" twice.', times[1]?.position)
  }
}
