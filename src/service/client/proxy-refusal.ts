import type { Dispatcher } from 'undici'
import { NetworkFailure } from '../../system/errors.ts'
import type { Response } from '../../system/response.ts'
import { type ProxyServer, proxyName } from './proxy.ts'

/** Why the proxy refused a request, and what to do about it. */
function explain(proxy: ProxyServer, authority: string, status: number): readonly [string, string] {
  switch (status) {
    case 407:
      return [
        proxy.authorization ? 'refused the user name and password' : 'requires a user name and a password',
        `Put the right ones into ${proxy.source}: http://user:password@host:port, percent-encoded.`,
      ]
    case 403:
      return [`does not allow connections to ${authority}`, 'Ask the operator of the proxy to allow it.']
    case 401:
      return [
        `requires a sign-in before it connects to ${authority}`,
        'Sign in to the network, or ask the operator of the proxy.',
      ]
    default:
      return [
        `could not connect to ${authority}`,
        'Check the address; list its host in NO_PROXY if the proxy cannot reach it.',
      ]
  }
}

/** The failure for a proxy's refusal. Its code is `network` if a retry may succeed. */
function refusedByProxy(proxy: ProxyServer, authority: string, status: number): NetworkFailure {
  const [reason, hint] = explain(proxy, authority, status)
  return new NetworkFailure(`${proxyName(proxy)} ${reason} (status ${status})`, {
    code: status >= 502 && status <= 504 ? 'network' : 'proxy_refused',
    status,
    hint,
  })
}

/** A proxy did not open a tunnel, so nothing was sent to the service or the store. */
export class TunnelRefused extends NetworkFailure {
  /** The `Retry-After` header of the proxy's answer. */
  readonly retryAfter: string | undefined

  constructor(
    proxy: ProxyServer,
    authority: string,
    { statusCode, headers }: Pick<Dispatcher.ConnectData, 'statusCode' | 'headers'>,
  ) {
    const { message, code, hint } = refusedByProxy(proxy, authority, statusCode)
    super(message, { code, status: statusCode, ...(hint === undefined ? {} : { hint }) })
    this.retryAfter = [headers['retry-after']].flat()[0]
  }
}

/** Statuses with which a proxy answers instead of the service or the store. */
const refusals = [401, 403, 407, 502, 503, 504]

/**
 * The refusal in an answer to a plain http request if the answer is the proxy's own: a header says so, or it is neither
 * JSON, as from the service, nor XML, as from a store.
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
