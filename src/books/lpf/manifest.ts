import { given } from '../../system/given.ts'
import type { Creator } from '../book.ts'

/** A resource as the manifest links to it. */
export interface LinkedResource {
  url: string
  mediaType?: string
  name?: string
  /** In seconds. */
  duration?: number
  rel: readonly string[]
}

/** A W3C publication manifest, normalised: one form for each of the ways in which a value may be written. */
export interface Manifest {
  titles: string[]
  creators: Creator[]
  languages: string[]
  publisher?: string
  description?: string
  identifier?: string
  /** Whatever is given as an ISBN, not checked. */
  isbns: string[]
  /** In seconds. */
  duration?: number
  readingOrder: LinkedResource[]
  /** The resources and links. */
  links: LinkedResource[]
}

/** The most values of one property that are looked at. */
const limit = 10_000

/** The properties that name creators, with their roles (MARC relators). */
export const creatorRoles: readonly (readonly [property: string, role: string])[] = [
  ['author', 'aut'],
  ['creator', 'aut'],
  ['readBy', 'nrt'],
  ['translator', 'trl'],
  ['editor', 'edt'],
  ['illustrator', 'ill'],
]

/** Reads a manifest; values that are not as the recommendation has them are left out. */
export function readPublicationManifest(json: unknown): Manifest {
  const manifest = objectOf(json)
  const identifiers = arrayOf(manifest['id'] ?? manifest['@id']).flatMap(lineIn)
  const stated = arrayOf(manifest['isbn']).flatMap(lineIn)
  return {
    titles: textsIn(manifest['name']),
    creators: creatorsIn(manifest),
    languages: arrayOf(manifest['inLanguage']).flatMap(lineIn),
    ...given({
      publisher: namesIn(manifest['publisher'])[0],
      description: textsIn(manifest['description'])[0],
      identifier: identifiers[0],
      duration: secondsOf(manifest['duration']),
    }),
    isbns: [...stated, ...identifiers.filter(id => /^(?:urn:)?isbn:/i.test(id))],
    readingOrder: linksIn(manifest['readingOrder']),
    links: [...linksIn(manifest['resources']), ...linksIn(manifest['links'])],
  }
}

function creatorsIn(manifest: Record<string, unknown>): Creator[] {
  const creators = new Map<string, Creator>()
  for (const [property, role] of creatorRoles) {
    for (const name of namesIn(manifest[property])) {
      const known = creators.get(name)
      if (known === undefined) creators.set(name, { name, roles: [role] })
      else if (!known.roles.includes(role)) known.roles.push(role)
    }
  }
  return [...creators.values()]
}

function linksIn(value: unknown): LinkedResource[] {
  return arrayOf(value).flatMap(link => {
    const { url, encodingFormat, name, duration, rel } =
      typeof link === 'string' ? ({ url: link } as Record<string, unknown>) : objectOf(link)
    if (typeof url !== 'string' || url.trim() === '') return []
    const seconds = secondsOf(duration)
    const [title] = textsIn(name)
    return {
      url: url.trim(),
      ...(typeof encodingFormat === 'string' && { mediaType: encodingFormat.toLowerCase() }),
      ...(title && { name: title }),
      ...(seconds !== undefined && { duration: seconds }),
      // Relations are compared without case (RFC 8288, 2.1.1).
      rel: arrayOf(rel)
        .flatMap(lineIn)
        .map(relation => relation.toLowerCase()),
    }
  })
}

/** The names of persons or organisations: texts, or objects that have names. */
const namesIn = (value: unknown): string[] =>
  arrayOf(value).flatMap(one =>
    typeof one === 'string' ? lineIn(one) : textsIn(objectOf(one)['name']).slice(0, 1),
  )

/** Texts that are plain, or objects with a value and its language. */
export const textsIn = (value: unknown): string[] =>
  arrayOf(value).flatMap(one => lineIn(typeof one === 'string' ? one : objectOf(one)['value']))

/** A text in one line; none for what is no text, or empty. */
export const lineIn = (value: unknown): string[] => {
  const text = typeof value === 'string' ? value.slice(0, 100_000).replace(/\s+/g, ' ').trim() : ''
  return text === '' ? [] : [text]
}

export const arrayOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value.slice(0, limit) : [value]

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The seconds of an ISO 8601 duration such as `PT1H30M` or `P1DT2.5S`. */
function secondsOf(value: unknown): number | undefined {
  const parts = /^P(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/.exec(
    String(value).slice(0, 50),
  )
  if (!parts || parts.slice(1).every(part => part === undefined)) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map(part => Number(part ?? 0))
  const whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
  return Number.isFinite(whole) ? Math.round(whole * 1000) / 1000 : undefined
}
