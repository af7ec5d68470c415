// A separate module, because it is only loaded if there is a proxy.
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { asNetworkFailure } from './network-errors.ts'
import { authorizationOf, type ProxyServer, proxyName } from './proxy.ts'
import { TunnelRefused } from './proxy-refusal.ts'
import { Client, sendConnect } from './undici.ts'

/**
 * A connection through a proxy to `authority` (host and port) by CONNECT; `connect` makes the one to the proxy. What goes wrong
 * on the way is reported as the proxy's failure, not the service's. `timeout` in milliseconds is for the proxy's answer.
 */
export async function openTunnel(
  proxy: ProxyServer,
  authority: string,
  connect: buildConnector.connector,
  timeout: number,
  signal: AbortSignal,
): Promise<Socket> {
  const client = new Client(proxy.origin, {
    // Without a name, the proxy's own: undici would ask for the certificate of the `Host` header, which names the service.
    connect: (to, done) => connect({ ...to, servername: '' }, done),
    headersTimeout: timeout,
  })
  try {
    const answer = await sendConnect(client, {
      origin: proxy.origin,
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      signal,
    })
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer.socket as Socket
    answer.socket.on('error', () => undefined).destroy()
    throw new TunnelRefused(proxy, authority, answer)
  } catch (error) {
    void client.destroy()
    throw signal.aborted ? signal.reason : asNetworkFailure(error, proxyName(proxy))
  }
}
