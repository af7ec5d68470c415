import { BlockList, isIP } from 'node:net'
import { NetworkFailure } from '../../system/errors.ts'
import { isLoopback } from '../../system/loopback.ts'

/** Where and how a file is sent: the parts of an upload session (§2.9) that sending needs. */
export interface PutTarget {
  uploadUrl: string
  /** Copied to the request exactly as they are (§4.10). */
  requiredHeaders: Readonly<Record<string, string>>
}

/**
 * What messages call the store of an upload URL, whose query is a secret. Throws `bad_session` if the service at `baseUrl`
 * must not send a file there: only a service on this machine may use plain http or addresses of this machine.
 */
export function checkTarget(uploadUrl: string, baseUrl: string): string {
  const bad = (why: string) =>
    new NetworkFailure(`the service gave an upload address that ${why}`, {
      code: 'bad_session',
      hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
    })
  if (!URL.canParse(uploadUrl)) throw bad('is not a URL')
  const url = new URL(uploadUrl)
  const isLocalService = () => isLoopback(new URL(baseUrl).hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw bad(`is neither https nor http (${url.protocol})`)
  if (mayBeLoopback(url.hostname) && !isLocalService()) throw bad(`leads to this machine (${url.origin})`)
  if (url.protocol === 'http:' && !isLocalService()) throw bad(`is not encrypted (${url.origin})`)
  return nameOf(url)
}

/** What messages call the store: its origin only, because the rest of an upload URL is a credential. */
export const nameOfStore = (uploadUrl: string): string =>
  nameOf(URL.canParse(uploadUrl) ? new URL(uploadUrl) : undefined)

const nameOf = (url: URL | undefined): string => `the upload store${url ? ` at ${url.origin}` : ''}`

/** Whether a connection to a host may end at this machine, in any notation of its address. */
function mayBeLoopback(hostname: string): boolean {
  if (isLoopback(hostname) || /(?:^|\.)localhost\.?$/.test(hostname)) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 0) return false
  // An IPv4 range also matches the IPv4-mapped IPv6 addresses.
  const local = new BlockList()
  local.addSubnet('127.0.0.0', 8, 'ipv4')
  local.addSubnet('0.0.0.0', 8, 'ipv4')
  local.addSubnet('::', 96, 'ipv6')
  return local.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Headers about the connection or with credentials, which only pubctl sets. A session that could set them could send the
 * file to another host, hide a second request in it, or forward a credential.
 */
const reserved = new Set([
  ...['authorization', 'connection', 'content-length', 'expect', 'host', 'http2-settings', 'keep-alive'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  'upgrade',
])

/** The headers of a PUT: those that the session requires, unchanged, and the length of the file. */
export function headersFor(
  { requiredHeaders }: PutTarget,
  length: number,
  userAgent: string,
): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent, 'content-length': String(length) }
  for (const [name, value] of Object.entries(requiredHeaders)) {
    const lower = name.toLowerCase()
    if (reserved.has(lower)) throw badHeader(name, 'is not one for a session to set')
    // What HTTP allows in a name and in a value (RFC 9110, sections 5.1 and 5.5); bytes beyond ASCII have no meaning.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw badHeader(name, 'has a name that HTTP does not allow')
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw badHeader(name, 'has a value that HTTP cannot carry')
    if (lower in headers) delete headers[lower]
    headers[name] = value
  }
  return headers
}

/** The value may be a credential and is not shown. */
const badHeader = (name: string, trouble: string) =>
  new NetworkFailure(`the upload session requires the header ${JSON.stringify(name)}, which ${trouble}`, {
    code: 'bad_session',
    hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
  })
