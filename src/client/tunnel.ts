// A module of its own, so that Node's own HTTP is loaded only when there is a proxy.
import { type ClientRequest, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { NetworkFailure } from '../errors.ts'
import { authorizationOf, nameOf, type ProxyServer } from './proxy.ts'
import { TunnelRefused } from './proxy-refusal.ts'
import { asNetworkFailure } from './trouble.ts'

/**
 * A connection through a proxy to `authority` (host and port) by CONNECT. What goes wrong on the way is told as the
 * proxy's trouble, not as that of the service behind it.
 */
export async function openTunnel(
  proxy: ProxyServer,
  authority: string,
  timeout: number,
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname, port, protocol } = new URL(proxy.origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isSecure = protocol === 'https:'
  const options = {
    method: 'CONNECT',
    host,
    port: port || (isSecure ? 443 : 80),
    path: authority,
    headers: { host: authority, ...authorizationOf(proxy) },
    agent: false as const,
    timeout,
    signal,
  }
  // Without a `servername` Node would hold the proxy's certificate against the `Host` header, which names the service.
  const asked = isSecure
    ? secureRequest({ ...options, servername: isIP(host) ? '' : host })
    : request(options)
  try {
    return await connected(asked, proxy, authority, timeout)
  } catch (error) {
    throw signal.aborted ? signal.reason : asNetworkFailure(error, nameOf(proxy))
  }
}

function connected(
  asked: ClientRequest,
  proxy: ProxyServer,
  authority: string,
  timeout: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    asked.once('error', reject)
    asked.once('timeout', () =>
      asked.destroy(
        new NetworkFailure(`${nameOf(proxy)} gave no answer within ${timeout / 1000} s`, { code: 'timeout' }),
      ),
    )
    asked.once('connect', (answer, socket, head) => {
      const { statusCode = 0 } = answer
      if (statusCode >= 200 && statusCode < 300 && head.length === 0) return resolve(socket as Socket)
      socket.destroy()
      reject(new TunnelRefused(proxy, authority, answer))
    })
    asked.once('response', answer => {
      asked.destroy()
      reject(new TunnelRefused(proxy, authority, answer))
    })
    asked.end()
  })
}
