import type { Endpoint, Group, Method } from '../../service/contract/endpoint.ts'
import { contract } from '../../service/contract/index.ts'
import { pathParameters } from '../../service/contract/parameters.ts'
import type { RequestContext } from '../call.ts'
import { handlers } from '../handlers.ts'

/** An endpoint with what answers it; the contract's types guarantee that they fit. */
export interface Route {
  endpoint: Endpoint
  handle(input: unknown, call: RequestContext): object
}

interface Pattern {
  matcher: RegExp
  parameters: string[]
  routes: Map<string, Route>
}

const patterns = patternsOf()

/** The path's routes by method, and its parameters; undefined for a path that the service does not have. */
export function findRoutes(
  path: string,
): { routes: ReadonlyMap<string, Route>; parameters: Record<string, string> } | undefined {
  for (const { matcher, parameters, routes } of patterns) {
    const match = matcher.exec(path)
    if (!match) continue
    try {
      const values = match.slice(1).map(decodeURIComponent)
      return {
        routes,
        parameters: Object.fromEntries(parameters.map((name, at) => [name, values[at] ?? ''])),
      }
    } catch {
      return undefined
    }
  }
  return undefined
}

function patternsOf(): Pattern[] {
  const byPath = new Map<string, Map<Method, Route>>()
  for (const [name, group] of Object.entries<Group>(contract)) {
    const handled = handlers[name as keyof typeof handlers] as unknown as Record<string, Route['handle']>
    for (const [verb, endpoint] of Object.entries(group)) {
      const routes = byPath.get(endpoint.path) ?? new Map<Method, Route>()
      byPath.set(
        endpoint.path,
        routes.set(endpoint.method, {
          endpoint,
          handle: handled[verb] as Route['handle'],
        }),
      )
    }
  }
  return (
    [...byPath]
      .map(([path, routes]) => ({
        matcher: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`),
        parameters: pathParameters(path),
        routes,
      }))
      // A fixed segment, such as `popular`, is tried before a parameter in its place.
      .sort((a, b) => a.parameters.length - b.parameters.length)
  )
}
