import { lookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { asNetworkFailure } from '../service/client/network-errors.ts'
import { exemption, type ProxyServer, proxyFor } from '../service/client/proxy.ts'
import { checkTarget } from '../service/client/upload-target.ts'
import { Failure } from '../system/errors.ts'
import type { Http } from '../system/http.ts'
import { isLoopback } from '../system/loopback.ts'
import type { World } from '../system/world.ts'
import { type CheckName, type Finding, fail, pass, skip, warn } from './finding.ts'

const day = 86_400_000

/** Which proxy is used for an address and why, or why none is. */
export function checkProxy(address: string, env: World['env']): { finding: Finding; proxy?: ProxyServer } {
  const check = 'proxy'
  try {
    const proxy = proxyFor(address, env)
    if (proxy === undefined) return { finding: pass(check, whyNone(address, env)) }
    const login = proxy.authorization === undefined ? '' : ', with a user name and a password'
    return { proxy, finding: pass(check, `${proxy.origin}, from ${proxy.source}${login}`) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { finding: fail(check, error) }
  }
}

function whyNone(address: string, env: World['env']): string {
  if (isLoopback(new URL(address).hostname)) return 'none: the address is on this machine'
  const entry = exemption(address, env)
  if (entry !== undefined) return `none: NO_PROXY covers the address with "${entry}"`
  const isPlain = address.startsWith('http:')
  const other = isPlain ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const isOther = env[other] || env[other.toLowerCase()]
  return isOther ? `none: ${other} is for ${isPlain ? 'https' : 'http'} addresses only` : 'none is named'
}

/** Whether the host name of the proxy, or of the service if there is no proxy, can be looked up. */
export async function checkName(address: string, proxy: ProxyServer | undefined): Promise<Finding> {
  const { hostname } = new URL(proxy?.origin ?? address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const whose = proxy ? 'the proxy, which looks up the service itself' : 'the service'
  if (isIP(host)) return skip('dns', `${host} needs no look-up`)
  try {
    const found = await lookup(host, { all: true })
    return pass('dns', `${host} (${whose}) is ${found.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return fail('dns', asNetworkFailure(error, `${host} (${whose})`))
  }
}

type ClockAndSignal = Pick<World, 'clock' | 'signal'>

/** Whether a connection to the service can be made, and its certificate. */
export const checkConnection = (address: string, http: Http, world: ClockAndSignal): Promise<Finding[]> =>
  reach(address, { check: 'connection', name: 'the service' }, http, world, (socket, now) =>
    address.startsWith('https:') ? checkCertificate(socket, now) : plainText(address),
  )

/** Whether a connection to the upload store of a session can be made. Nothing is sent. */
export async function checkStore(
  uploadUrl: string,
  address: string | undefined,
  http: Http,
  world: ClockAndSignal,
): Promise<Finding[]> {
  try {
    if (address !== undefined) checkTarget(uploadUrl, address)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [fail('store', error)]
  }
  return await reach(uploadUrl, { check: 'store', name: 'the upload store' }, http, world)
}

async function reach(
  url: string,
  { check, name }: { check: CheckName; name: string },
  http: Http,
  { clock, signal }: ClockAndSignal,
  examine?: (socket: Socket, now: number) => Finding,
): Promise<Finding[]> {
  // The path and the query of an upload URL are secrets.
  const { origin } = new URL(url)
  const started = clock.monotonic()
  let socket: Socket
  try {
    socket = await http.connect(origin, signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return [fail(check, asNetworkFailure(error, `${name} at ${origin}`))]
  }
  const made = pass(check, `to ${origin} in ${Math.round(clock.monotonic() - started)} ms`)
  const findings = examine ? [made, examine(socket, clock.now())] : [made]
  socket.on('error', () => undefined).destroy()
  return findings
}

function checkCertificate(socket: Socket, now: number): Finding {
  const { valid_to: end } = (socket as TLSSocket).getPeerCertificate()
  const protocol = (socket as TLSSocket).getProtocol() ?? 'TLS'
  const message = `${protocol}, certificate valid until ${new Date(end).toISOString().slice(0, 10)}`
  return Date.parse(end) - now < 14 * day
    ? warn('tls', message, 'Tell the operator of the service that its certificate ends soon.')
    : pass('tls', message)
}

const plainText = (address: string): Finding =>
  isLoopback(new URL(address).hostname)
    ? skip('tls', 'the address is http, on this machine')
    : warn(
        'tls',
        'the address is http, so anybody on the network can read the key and the books',
        'Use https if the service has it.',
      )
