import { given } from '../../system/given.ts'
import type { Creator } from '../book.ts'
import { arrayOf, creatorRoles, type LinkedResource, lineIn, type Manifest, objectOf } from './manifest.ts'

/** Where a package of Readium has its manifest (https://readium.org/webpub-manifest/packaging). */
export const readiumPath = 'manifest.json'

/** Whether a value is a manifest of Readium. */
export const isReadium = (json: unknown): boolean =>
  typeof objectOf(json)['metadata'] === 'object' && Array.isArray(objectOf(json)['readingOrder'])

/** Reads a manifest of Readium (https://readium.org/webpub-manifest/), in the form of one of the W3C. */
export function readReadiumManifest(json: unknown): Manifest {
  const { metadata: written, readingOrder, resources, links } = objectOf(json)
  const metadata = objectOf(written)
  const [identifier] = lineIn(metadata['identifier'])
  const description = lineIn(metadata['description'])[0]
  return {
    titles: translationsIn(metadata['title']),
    creators: creatorsIn(metadata),
    languages: arrayOf(metadata['language']).flatMap(lineIn),
    ...given({
      ...{ identifier, description, publisher: namesIn(metadata['publisher'])[0] },
      duration: secondsIn(metadata['duration']),
    }),
    isbns: identifier !== undefined && /^urn:isbn:/i.test(identifier) ? [identifier] : [],
    readingOrder: linksIn(readingOrder),
    links: [...linksIn(resources), ...linksIn(links).filter(({ rel }) => !rel.includes('self'))],
  }
}

function creatorsIn(metadata: Record<string, unknown>): Creator[] {
  const creators = new Map<string, Creator>()
  for (const [property, role] of [...creatorRoles, ['narrator', 'nrt'] as const]) {
    for (const name of namesIn(metadata[property])) {
      const known = creators.get(name) ?? { name, roles: [] }
      creators.set(name, known)
      if (!known.roles.includes(role)) known.roles.push(role)
    }
  }
  return [...creators.values()]
}

/** The names of persons or organisations: texts, or objects that have one. */
const namesIn = (value: unknown): string[] =>
  arrayOf(value).flatMap(one =>
    typeof one === 'string' ? lineIn(one) : translationsIn(objectOf(one)['name']).slice(0, 1),
  )

/** A text, or one by language. */
const translationsIn = (value: unknown): string[] =>
  typeof value === 'string' ? lineIn(value) : Object.values(objectOf(value)).flatMap(lineIn)

const linksIn = (value: unknown): LinkedResource[] =>
  arrayOf(value).flatMap(link => {
    const { href, type, title, duration, rel, templated } = objectOf(link)
    const [url] = lineIn(href)
    if (url === undefined || templated === true) return []
    return {
      url,
      ...given({ mediaType: lineIn(type)[0]?.toLowerCase(), name: lineIn(title)[0] }),
      ...given({ duration: secondsIn(duration) }),
      rel: arrayOf(rel).flatMap(lineIn),
    }
  })

const secondsIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
