import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { UsageFailure } from '../../system/errors.ts'
import { isLoopback } from '../../system/loopback.ts'
import type { World } from '../../system/world.ts'

/** A proxy between this machine and a service. */
export interface ProxyServer {
  /** Scheme, host and port; never its user name and password. */
  readonly origin: string
  /** The variable that named it. */
  readonly source: string
  /** For the `Proxy-Authorization` header, which is sent to the proxy only. */
  readonly authorization?: string
}

/**
 * The proxy for an address, chosen as curl does: HTTPS_PROXY or HTTP_PROXY by the address's scheme, else ALL_PROXY, unless
 * NO_PROXY matches. Lower-case names have priority, and an empty variable counts as unset. Unlike curl, loopback addresses
 * never have a proxy, because what may be sent there unencrypted must not leave this machine.
 */
export function proxyFor(address: string | URL, env: World['env']): ProxyServer | undefined {
  const url = typeof address === 'string' ? new URL(address) : address
  if (isLoopback(url.hostname)) return undefined
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const source = [`${scheme}_proxy`, 'all_proxy']
    .flatMap(name => [name, name.toUpperCase()])
    .find(name => env[name])
  if (source === undefined || exemption(url.href, env) !== undefined) return undefined
  return parseProxy((env[source] as string).trim(), source)
}

/** What messages call a proxy. */
export const proxyName = ({ origin, source }: ProxyServer): string =>
  `the proxy at ${origin} (from ${source})`

/** The header with the credentials of a proxy. */
export const authorizationOf = ({ authorization }: ProxyServer): Record<string, string> =>
  authorization === undefined ? {} : { 'proxy-authorization': authorization }

/** The entry of NO_PROXY that matches an address, if any. */
export function exemption(address: string, env: World['env']): string | undefined {
  const { hostname, port, protocol } = new URL(address)
  const host = withoutBrackets(hostname)
  const number = port || (protocol === 'https:' ? '443' : '80')
  return (env['no_proxy'] || env['NO_PROXY'] || '')
    .split(/[\s,]+/)
    .find(entry => entry !== '' && matches(entry, host, number))
}

/** An entry is `*`, a host, a domain with or without a dot or `*.` before it, an address or a CIDR range, each with an optional port. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, beforePort, entryPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (entryPort !== undefined && entryPort !== port) return false
  const name = withoutBrackets((beforePort ?? entry).replace(/^\*?\./, ''))
  const family = isIP(host)
  if (family === 0) {
    const domain = domainToASCII(name)
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
  }
  const [network = '', bits = family === 6 ? '128' : '32'] = name.split('/')
  if (isIP(network) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 6 ? 128 : 32))
    return false
  const type = family === 6 ? 'ipv6' : 'ipv4'
  const range = new BlockList()
  range.addSubnet(network, Number(bits), type)
  return range.check(host, type)
}

const withoutBrackets = (host: string): string =>
  host
    .replace(/^\[([^\]]*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()

/** No message quotes the value, because it may contain a password. */
function parseProxy(text: string, source: string): ProxyServer {
  const unfit = (trouble: string) =>
    new UsageFailure(`the proxy in ${source} ${trouble}`, {
      code: 'unfit_proxy',
      hint: `Write it like http://proxy.example.com:3128, or list the service in NO_PROXY to go without it.`,
    })
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(full) || /\s/.test(full)) throw unfit('is not an address')
  const { protocol, origin, username, password, pathname, search, hash } = new URL(full)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw unfit(`is a ${protocol.slice(0, -1)} proxy, and pubctl goes through http and https proxies only`)
  if (pathname !== '/' || search || hash) throw unfit('has something after its host and port')
  if (username === '' && password === '') return { origin, source }
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return { origin, source, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  } catch {
    throw unfit('has a user name or password whose percent signs are not encoded')
  }
}

const variables = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap(name => [name, name.toUpperCase()])

/** The passwords in the proxy variables, used or not, and what is sent of them. They must never be shown. */
export const proxySecrets = (env: World['env']): string[] =>
  variables.flatMap(name => {
    const [authority = ''] = (env[name] ?? '').replace(/^[\w+.-]{1,20}:\/\//, '').split('/', 1)
    const [, user = '', password = ''] = /^([^:]*):(.*)@/s.exec(authority) ?? []
    if (password === '') return []
    try {
      const [login, word] = [decodeURIComponent(`${user}:${password}`), decodeURIComponent(password)]
      return [password, word, Buffer.from(login).toString('base64')]
    } catch {
      return [password]
    }
  })
