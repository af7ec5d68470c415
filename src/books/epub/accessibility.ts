import {
  type AccessibilityFacts,
  type AccessibilityMetadata,
  type ContentLook,
  emptyAccessibilityMetadata,
  modesIn,
} from '../accessibility-facts.ts'
import { decodeText } from '../decode.ts'
import { attributeOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { imagesIn } from './image-tags.ts'
import type { Package } from './package.ts'
import type { Protection } from './protection.ts'
import { termPrefixes, termsOf, textIn, valueLimit } from './terms.ts'

/** What an EPUB says of its accessibility, and what a limited look into its content finds. */
export async function readEpubAccessibility(
  zip: Zip,
  from: Package,
  { encrypted }: Pick<Protection, 'encrypted'>,
  hasPageList: boolean,
): Promise<AccessibilityFacts> {
  return {
    metadata: readAccessibilityMetadata(from),
    content: {
      ...(await lookIntoContent(zip, from, encrypted)),
      hasPageList,
      hasMediaOverlays: from.items.some(({ mediaType }) => mediaType === 'application/smil+xml'),
    },
  }
}

type Property = Exclude<keyof AccessibilityMetadata, 'certificationDate'>

const properties: Readonly<Record<string, Property>> = {
  'http://schema.org/accessMode': 'accessMode',
  'http://schema.org/accessModeSufficient': 'accessModeSufficient',
  'http://schema.org/accessibilityFeature': 'accessibilityFeature',
  'http://schema.org/accessibilityHazard': 'accessibilityHazard',
  'http://schema.org/accessibilitySummary': 'accessibilitySummary',
  'http://purl.org/dc/terms/conformsTo': 'conformsTo',
  'http://www.idpf.org/epub/vocab/package/a11y/#certifiedBy': 'certifiedBy',
  'http://www.idpf.org/epub/vocab/package/a11y/#certifierCredential': 'certifierCredential',
  'http://www.idpf.org/epub/vocab/package/a11y/#certifierReport': 'certifierReport',
  'http://www.idpf.org/epub/vocab/package/a11y/#exemption': 'exemption',
}

/**
 * The accessibility metadata of a package document: `meta` with a `property` and `link` with a `rel`, as EPUB 3 has them,
 * and `meta` with a `name` and a `content`, as EPUB 2 has them (https://www.w3.org/TR/epub-a11y-11/#sec-disc-package).
 */
export function readAccessibilityMetadata(from: Package): AccessibilityMetadata {
  const found = emptyAccessibilityMetadata()
  const { metadata } = from
  const prefixes = termPrefixes(from)
  const dates: { refines: string; date: string }[] = []
  const certificationIds = new Set<string>()
  const others = otherStandards(metadata, prefixes)
  for (const each of metadata) {
    if (each.name !== 'meta' && each.name !== 'link') continue
    const refines = attributeOf(each, 'refines')
    for (const term of termsOf(each, prefixes)) {
      const value = textIn(each)
      if (value === '') continue
      if (term === 'http://purl.org/dc/terms/date' && refines !== undefined)
        dates.push({ refines: refines.replace(/^#/, ''), date: value })
      const property = Object.hasOwn(properties, term) ? properties[term] : undefined
      if (property === undefined) continue
      // What refines an item of the manifest is about a part of the book.
      if (refines !== undefined && property.startsWith('access')) continue
      // Nor does who certifies another standard certify the accessibility.
      if (refines !== undefined && property.startsWith('certif') && others.has(refines.replace(/^#/, '')))
        continue
      if (property === 'conformsTo' || property === 'certifiedBy')
        certificationIds.add(attributeOf(each, 'id') ?? '')
      add(found, property, value)
    }
  }
  found.certificationDate = dates
    .filter(({ refines }) => certificationIds.has(refines))
    .slice(0, valueLimit)
    .map(({ date }) => date)
  return found
}

/** The ids of claims of conformance that are not about accessibility. */
function otherStandards(metadata: readonly XmlElement[], prefixes: ReadonlyMap<string, string>): Set<string> {
  const claims = metadata.filter(
    each =>
      (each.name === 'meta' || each.name === 'link') &&
      termsOf(each, prefixes).includes('http://purl.org/dc/terms/conformsTo') &&
      !/accessib|a11y|wcag/i.test(textIn(each)),
  )
  return new Set(claims.flatMap(each => attributeOf(each, 'id') ?? []))
}

function add(found: AccessibilityMetadata, property: Property, value: string): void {
  if (found[property].length >= valueLimit) return
  if (property === 'accessModeSufficient') found.accessModeSufficient.push(modesIn(value))
  else found[property].push(value)
}

/** What is read at most: documents, the bytes of one and of all of them. Few books have more. */
const limits = { documents: 500, bytesOfOne: 4 * 2 ** 20, bytes: 32 * 2 ** 20 }

const contentTypes = [
  'application/xhtml+xml',
  'text/html',
  'application/x-dtbook+xml',
  'text/x-oeb1-document',
]

/** Counts the images of the documents in the reading order that are not encrypted, and those without alternative text. */
async function lookIntoContent(
  zip: Zip,
  { spine }: Package,
  encrypted: ReadonlySet<string>,
): Promise<Omit<ContentLook, 'hasPageList' | 'hasMediaOverlays'>> {
  const paths = new Set(
    spine.flatMap(({ item }) =>
      item?.path !== undefined && contentTypes.includes(item.mediaType) && zip.entries.has(item.path)
        ? [item.path]
        : [],
    ),
  )
  const look: Omit<ContentLook, 'hasPageList' | 'hasMediaOverlays'> = {
    documents: 0,
    unseenDocuments: 0,
    images: 0,
    imagesWithoutAlt: 0,
  }
  let bytes = 0
  for (const path of paths) {
    bytes += zip.entries.get(path)?.uncompressedSize ?? 0
    const isReadable = look.documents < limits.documents && bytes <= limits.bytes && !encrypted.has(path)
    const text = isReadable ? await textAt(zip, path) : undefined
    if (text === undefined) {
      look.unseenDocuments += 1
      continue
    }
    look.documents += 1
    for (const { position, hasAlternative } of imagesIn(text)) {
      look.images += 1
      if (hasAlternative) continue
      look.imagesWithoutAlt += 1
      look.firstWithoutAlt ??= `${path}:${lineAt(text, position)}`
    }
  }
  return look
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

async function textAt(zip: Zip, path: string): Promise<string | undefined> {
  try {
    return decodeText(await zip.read(path, limits.bytesOfOne)).text
  } catch (error) {
    if (error instanceof EntryError) return undefined
    throw error
  }
}
