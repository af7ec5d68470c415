import type { IncomingMessage } from 'node:http'
import { NetworkFailure } from '../errors.ts'
import { nameOf, type ProxyServer } from './proxy.ts'
import type { Response } from './response.ts'

/** What the proxy did with a request, and what to do about it. */
function wordsFor(proxy: ProxyServer, authority: string, status: number): readonly [string, string] {
  switch (status) {
    case 407:
      return [
        proxy.authorization ? 'refused the user name and password' : 'wants a user name and a password',
        `Put the right ones into ${proxy.source}: http://user:password@host:port, percent-encoded.`,
      ]
    case 403:
      return [`does not allow connections to ${authority}`, 'Ask whoever runs the proxy to allow it.']
    case 401:
      return [
        `wants a sign-in of its own before it leads to ${authority}`,
        'Sign in to the network, or ask whoever runs the proxy.',
      ]
    default:
      return [
        `could not connect to ${authority}`,
        'Check the address; list its host in NO_PROXY if the proxy cannot reach it.',
      ]
  }
}

/** A proxy's own refusal in words. Its code is `network` where another attempt may succeed. */
function refusedByProxy(proxy: ProxyServer, authority: string, status: number): NetworkFailure {
  const [words, hint] = wordsFor(proxy, authority, status)
  const code = status >= 502 && status <= 504 ? 'network' : 'proxy_refused'
  return new NetworkFailure(`${nameOf(proxy)} ${words} (status ${status})`, { code, status, hint })
}

/** A tunnel that a proxy did not open, so that nothing was sent to whom it should lead. */
export class TunnelRefused extends NetworkFailure {
  /** The `Retry-After` header of the proxy's answer. */
  readonly retryAfter: string | undefined

  constructor(
    proxy: ProxyServer,
    authority: string,
    { statusCode = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  ) {
    const { message, code, hint } = refusedByProxy(proxy, authority, statusCode)
    super(message, { code, status: statusCode, ...(hint === undefined ? {} : { hint }) })
    this.retryAfter = headers['retry-after']
  }
}

/** Statuses with which a proxy answers in the place of whom it was to ask. */
const refusals = [401, 403, 407, 502, 503, 504]

/**
 * What a proxy says in an answer to a plain http request, where the answer is its own: it says so in a header, or the
 * answer is neither the service's JSON nor a store's XML.
 */
export function refusalIn(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  proxy: ProxyServer,
  authority: string,
): NetworkFailure | undefined {
  if (!refusals.includes(status)) return undefined
  const type = String(headers['content-type'] ?? '')
  const saysSo =
    status === 407 ||
    headers['x-squid-error'] !== undefined ||
    /;\s?error=/.test(String(headers['proxy-status'] ?? ''))
  if (!saysSo && /^(?:application|text)\/(?:[\w.-]{1,100}\+)?(?:json|xml)\b/i.test(type)) return undefined
  return refusedByProxy(proxy, authority, status)
}
