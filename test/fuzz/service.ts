import { authentication, routes } from '../support/servers/hostile-routes.ts'
import { signature } from './secrets.ts'

export interface GivenAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the service answers to a request. */
export type Answering = (method: string, url: string) => GivenAnswer

/** Who the service says the caller is. */
export const context = {
  path: '/v1',
  method: 'GET',
  requestId: 'req_1',
  authentication,
}

const json = (status: number, body: unknown): GivenAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body).replaceAll('5ec4e7"', `${signature}"`),
})

/** A service that has one of everything, and takes what it is sent. */
export const soundAnswer: Answering = (method, url) => {
  const { pathname, origin } = new URL(url)
  if (method === 'PUT') return json(200, {})
  const route = routes.find(each => each.method === method && each.path.test(pathname))
  if (!route) return json(404, { error: 'EMPTY_RESPONSE', message: 'Not found', context })
  return json(route.status, { ...route.answer(origin), context })
}
