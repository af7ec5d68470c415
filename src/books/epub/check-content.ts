import { decodeText } from '../decode.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { checkProperties } from './check-properties.ts'
import { checkReference } from './check-reference.ts'
import { type ManifestItem, type Package, pagePathsOf } from './package.ts'
import type { Protection } from './protection.ts'
import { type ScannedDocument, scanDocument } from './scan-document.ts'
import { urlsIn } from './scan-style.ts'

/**
 * How many bytes of pages and styles are read, in the order of the spine: all of most books, and so little that it takes
 * no longer than a fraction of a second.
 */
const limits = { ofOne: 1024 * 1024, ofAll: 4 * 1024 * 1024 }

/** What was found in the content documents. */
export interface Content {
  /** Whether every document of the spine was read whole. */
  isComplete: boolean
  /** The entries that the documents refer to. */
  linked: ReadonlySet<string>
  /** Whether a document has a script, which can lead anywhere. */
  isScripted: boolean
  /** By document, where those ids stand that were asked for. */
  ids: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** Reads the content documents as far as the limits go and adds what is wrong with them. `wanted` are ids by document. */
export async function checkContent(
  zip: Zip,
  from: Package,
  { encrypted }: Protection,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  problems: Problems,
): Promise<Content> {
  const ids = new Map<string, Map<string, number>>()
  const items = new Map(from.items.map(item => [item.path ?? item.href, item]))
  const checking = {
    zip,
    from,
    problems,
    items,
    pages: pagePathsOf(from),
    linked: new Set<string>(),
    saidOutside: new Set<string>(),
  }
  let left = limits.ofAll
  let isComplete = true
  let isScripted = false
  for (const item of documentsOf(from)) {
    const { path = '' } = item
    const bytes = zip.entries.get(path)?.uncompressedSize
    if (bytes === undefined || encrypted.has(path) || bytes > Math.min(limits.ofOne, left)) {
      isComplete &&= !checking.pages.has(path)
      continue
    }
    left -= bytes
    const scanned = await scan(zip, item, path, problems)
    // What stands behind an error is not known.
    if (!scanned?.error) ids.set(path, pick(scanned?.ids, wanted.get(path)))
    isScripted ||= scanned?.uses.has('scripted') === true
    if (scanned === undefined || scanned.error) isComplete = false
    if (scanned === undefined) continue
    for (const reference of scanned.hasBase ? [] : scanned.references) {
      checkReference(path, reference, scanned, checking)
    }
    checkProperties(item, scanned, from, problems)
  }
  return { isComplete, linked: checking.linked, isScripted, ids }
}

/** The documents of the spine in its order, then the others and the styles, then the overlays with sound. */
function documentsOf({ spine, items }: Package): Set<ManifestItem> {
  const types = ['application/xhtml+xml', 'image/svg+xml', 'text/css']
  return new Set([
    ...[...spine.flatMap(({ item }) => item ?? []), ...items].filter(({ mediaType }) =>
      types.includes(mediaType),
    ),
    ...items.filter(({ mediaType }) => mediaType === 'application/smil+xml'),
  ])
}

const pick = (ids: ReadonlyMap<string, number> = new Map(), wanted: ReadonlySet<string> = new Set()) =>
  new Map([...ids].filter(([id]) => wanted.has(id)))

async function scan(
  zip: Zip,
  { mediaType }: ManifestItem,
  path: string,
  problems: Problems,
): Promise<ScannedDocument | undefined> {
  const add = problemsIn(problems, path)
  try {
    const bytes = await zip.read(path, limits.ofOne)
    if (mediaType === 'text/css') {
      const references = urlsIn(decodeText(bytes).text).map(one => ({ ...one, kind: 'resource' as const }))
      return { references, ids: new Map(), uses: new Set(), hasBase: false }
    }
    const scanned = scanDocument(bytes)
    if (scanned.error) {
      const { message, line } = scanned.error
      add('warning', 'chapter_malformed', `${path} is not well-formed: ${message}.`, line)
    }
    return scanned
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    add('warning', 'chapter_unreadable', `${path} ${error.message}.`)
    return undefined
  }
}
