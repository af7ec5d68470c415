import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why a request does not come from this machine's own tools, as a sentence; undefined for one that does. A web page can
 * have a browser send requests to loopback: under a name of its own that it points there (DNS rebinding, which shows in
 * `Host`), or directly (which shows in `Origin`). `target` is that of the request line, a whole URL when the client
 * takes the sandbox for a proxy.
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
