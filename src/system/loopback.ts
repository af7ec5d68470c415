import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Whether a host, as a URL has it, is this machine itself: 127.0.0.0/8, ::1, or `localhost`, which `lookupLocalhost`
 * holds to that when it connects. A name below `localhost` may be whatever a resolver makes of it.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)

/** Whether a connection to a host may end at this machine, however its address is written. */
export function mayBeLoopback(hostname: string): boolean {
  if (isLoopback(hostname) || /(?:^|\.)localhost\.?$/.test(hostname)) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 0) return false
  // A range of IPv4 covers the IPv6 addresses that stand for it as well.
  const local = new BlockList()
  local.addSubnet('127.0.0.0', 8, 'ipv4')
  local.addSubnet('0.0.0.0', 8, 'ipv4')
  local.addSubnet('::', 96, 'ipv6')
  return local.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Looks names up for connections, and takes nothing but loopback addresses for `localhost`. */
export const lookupLocalhost =
  (ask: Lookup = lookup): LookupFunction =>
  (hostname, options, callback) =>
    ask(hostname, { ...options, all: true }, (error, found) => {
      const taken =
        error || hostname !== 'localhost' ? found : found.filter(({ address }) => isLoopbackAddress(address))
      const [first] = taken ?? []
      if (error || first === undefined) callback(error ?? notThisMachine(), '', 0)
      else if (options.all) callback(null, taken)
      else callback(null, first.address, first.family)
    })

const notThisMachine = (): NodeJS.ErrnoException =>
  Object.assign(new Error('localhost is not an address of this machine'), { code: 'ELOCALHOST' })
