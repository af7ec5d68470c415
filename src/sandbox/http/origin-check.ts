import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why a request may come from a web page and not from a program of this machine, as a sentence; undefined if it does not. A
 * page can make a browser send requests to loopback addresses: with a host name that resolves to one (DNS rebinding, visible
 * in `Host`), or directly (visible in `Origin`). `target` is that of the request line, a complete URL if the client uses the
 * sandbox as a proxy.
 */
export function originErrorOf(
  target: string,
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
): string | undefined {
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? []
  for (const name of [host ?? '', authority ?? host ?? '']) {
    if (isLoopback(name)) continue
    return `The sandbox answers at 127.0.0.1 and localhost alone, and this request is for the host "${name}".`
  }
  if (origin === undefined || origin.toLowerCase() === `http://${host}`.toLowerCase()) return undefined
  return `The sandbox answers no web pages, and this request comes from one of "${origin}".`
}

/** Whether a `Host` is loopback, by an address or by the one name that always is. */
const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i.test(host)
