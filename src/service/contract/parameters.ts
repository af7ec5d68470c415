import type { Endpoint } from './endpoint.ts'

/** The names of the `{…}` parameters of a path, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

type Locations = Readonly<Record<'path' | 'query' | 'body', readonly string[]>>

/** Those of the endpoints that were asked for. */
const known = new WeakMap<Endpoint, Locations>()

/** Where each input of an endpoint is sent: in the path, else in the body of a POST or PATCH, else in the query. */
export function parameterLocations(endpoint: Endpoint): Locations {
  const locations = known.get(endpoint) ?? locationsOf(endpoint)
  known.set(endpoint, locations)
  return locations
}

function locationsOf({ method, path, input }: Endpoint): Locations {
  const inPath = pathParameters(path)
  const rest = Object.keys(input.shape).filter(name => !inPath.includes(name))
  return method === 'POST' || method === 'PATCH'
    ? { path: inPath, query: [], body: rest }
    : { path: inPath, query: rest, body: [] }
}
