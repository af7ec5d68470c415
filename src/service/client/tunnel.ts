// A separate module, because Node's HTTP is only loaded if there is a proxy.
import { type ClientRequest, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { NetworkFailure } from '../../system/errors.ts'
import { asNetworkFailure } from './network-errors.ts'
import { authorizationOf, type ProxyServer, proxyName } from './proxy.ts'
import { TunnelRefused } from './proxy-refusal.ts'

/**
 * A connection through a proxy to `authority` (host and port) by CONNECT. What goes wrong on the way is reported as
 * the proxy's failure, not the service's.
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
  // Without `servername`, Node would compare the proxy's certificate with the `Host` header, which names the service.
  const connecting = isSecure
    ? secureRequest({ ...options, servername: isIP(host) ? '' : host })
    : request(options)
  try {
    return await connected(connecting, proxy, authority, timeout)
  } catch (error) {
    throw signal.aborted ? signal.reason : asNetworkFailure(error, proxyName(proxy))
  }
}

function connected(
  connecting: ClientRequest,
  proxy: ProxyServer,
  authority: string,
  timeout: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connecting.once('error', reject)
    connecting.once('timeout', () =>
      connecting.destroy(
        new NetworkFailure(`${proxyName(proxy)} gave no answer within ${timeout / 1000} s`, {
          code: 'timeout',
        }),
      ),
    )
    connecting.once('connect', (answer, socket, head) => {
      const { statusCode = 0 } = answer
      if (statusCode >= 200 && statusCode < 300 && head.length === 0) return resolve(socket as Socket)
      socket.destroy()
      reject(new TunnelRefused(proxy, authority, answer))
    })
    connecting.once('response', answer => {
      connecting.destroy()
      reject(new TunnelRefused(proxy, authority, answer))
    })
    connecting.end()
  })
}
