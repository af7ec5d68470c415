import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopbackAddress } from '../../system/loopback.ts'

type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Looks up host names for connections; `localhost` is only resolved to loopback addresses. */
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
