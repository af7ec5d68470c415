import { quotedText } from '../book.ts'
import { resolveInBook } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childrenOf, descendantsOf, hasWord, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { readXml } from './read-xml.ts'

const metadataPath = 'META-INF/metadata.xml'

/** Adds what is wrong with a book of which the container names several package documents: its renditions. */
export async function checkRenditions(
  zip: Zip,
  container: XmlElement,
  path: string,
  problems: Problems,
): Promise<void> {
  const add = problemsIn(problems, path)
  for (const { attributes, position } of descendantsOf(container, 'rootfile')) {
    for (const [at, name] of attributes.entries()) {
      if (at % 2 === 1 || !name.startsWith('rendition:')) continue
      const value = attributes[at + 1] ?? ''
      if (!known.includes(name)) {
        add(
          'warning',
          'rendition_wrong',
          `A rendition has the attribute ${quotedText(name)}, which is not known.`,
          position,
        )
      } else if (name === 'rendition:media' && !isMediaQuery(value)) {
        add('warning', 'rendition_wrong', `${quotedText(value)} is no media query.`, position)
      }
    }
  }
  await checkMetadata(zip, problems)
  const mappings = descendantsOf(container, 'link').filter(link => hasWord(link, 'rel', 'mapping'))
  if (mappings.length > 1)
    add('warning', 'rendition_wrong', 'The container names two mappings.', mappings[1]?.position)
  for (const link of mappings) await checkMapping(zip, link, path, problems)
}

const known = ['media', 'layout', 'language', 'accessMode', 'label'].map(name => `rendition:${name}`)

/** Whether a text has the form of a media query: words, and conditions in brackets that are closed. */
const isMediaQuery = (query: string): boolean =>
  query
    .slice(0, 1000)
    .split(',')
    .every(one =>
      /^\s{0,20}(?:(?:only|not)\s{1,20})?(?:all|print|screen|speech|handheld|tv|projection|\([^()]{1,200}\))(?:\s{1,20}and\s{1,20}\([^()]{1,200}\))*\s{0,20}$/i.test(
        one,
      ),
    )

async function checkMetadata(zip: Zip, problems: Problems): Promise<void> {
  if (!zip.entries.has(metadataPath)) return
  const root = await readXml(zip, metadataPath, 'options', problems)
  if (root === undefined) return
  const times = childrenOf(root, 'meta').filter(meta => attributeOf(meta, 'property') === 'dcterms:modified')
  if (times.length === 1) return
  const message =
    'The metadata of the renditions do not say once when the book was last changed (dcterms:modified).'
  problemsIn(problems, metadataPath)('warning', 'modified_missing', message, root.position)
}

async function checkMapping(zip: Zip, link: XmlElement, from: string, problems: Problems): Promise<void> {
  const add = problemsIn(problems, from)
  const type = attributeOf(link, 'media-type')
  if (type !== 'application/xhtml+xml') {
    add(
      'warning',
      'rendition_wrong',
      `The mapping is declared as ${type ?? 'nothing'}, and has to be a page.`,
      link.position,
    )
  }
  // The address is seen from the root of the zip.
  const path = zip.nameAt(resolveInBook('', attributeOf(link, 'href') ?? '')?.path ?? '')
  if (!zip.entries.has(path)) {
    add('warning', 'rendition_wrong', 'The mapping of the renditions is not in the zip.', link.position)
    return
  }
  const root = await readXml(zip, path, 'navigation', problems)
  if (root === undefined) return
  const wrong = (message: string) =>
    problemsIn(problems, path)('warning', 'rendition_wrong', message, root.position)
  const isVersioned = descendantsOf(root, 'meta').some(
    meta => attributeOf(meta, 'name') === 'epub.multiple.renditions.version',
  )
  if (!isVersioned) wrong('The mapping does not say its version (epub.multiple.renditions.version).')
  const navs = descendantsOf(root, 'nav')
  if (!navs.some(nav => hasWord(nav, 'epub:type', 'resource-map'))) wrong('The mapping has no resource map.')
  if (navs.some(nav => attributeOf(nav, 'epub:type') === undefined)) {
    wrong('A list of the mapping does not say what it is (epub:type).')
  }
}
