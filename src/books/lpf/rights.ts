import type { Creator } from '../book.ts'
import { tdmNamespaces } from '../rights/tdm-namespaces.ts'
import { type RightsFacts, rightsLimit, type WrittenValue } from '../rights-facts.ts'
import { arrayOf, objectOf } from './manifest.ts'

/** Readium's words for the values of the protocol (https://readium.org/webpub-manifest/contexts/default/#text-and-data-mining). */
const readium: Readonly<Record<string, string>> = { all: '1', none: '0' }

/**
 * What a publication manifest says of text and data mining and of who made it. The TDM Reservation Protocol does not mention
 * such manifests, so its properties are read as in EPUB, and `tdm` as in the manifests of Readium.
 */
export function readManifestRights(json: unknown, creators: readonly Creator[], place: string): RightsFacts {
  const manifest = objectOf(json)
  const valuesOf = (value: unknown): WrittenValue[] =>
    arrayOf(value)
      .flatMap(one => (['string', 'number'].includes(typeof one) ? [String(one).slice(0, 10_000)] : []))
      .slice(0, rightsLimit)
      .map(text => ({ value: text.trim(), place }))
  const said = (name: string) =>
    ['tdm:', ...tdmNamespaces].flatMap(prefix => valuesOf(manifest[`${prefix}${name}`]))
  const tdm = objectOf(manifest['tdm'])
  return {
    reservations: [
      ...said('reservation'),
      ...valuesOf(tdm['reservation']).map(({ value }) => ({ value: readium[value] ?? value, place })),
    ],
    policies: [...said('policy'), ...valuesOf(tdm['policy'])],
    narrators: creators.filter(({ roles }) => roles.includes('nrt')).map(({ name }) => name),
    digitalSources: valuesOf(manifest['digitalSourceType']),
  }
}
