import { hideSecrets, rememberKey, rememberPresignedQuery } from '../cli/output/secrets.ts'
import { parseAddress, refuseInsecure } from '../config/address.ts'
import { checkKey } from '../config/key-text.ts'
import type { ServiceClient as Caller } from '../service/client/call.ts'
import { loadZod } from '../service/contract/load-zod.ts'
import type { Http } from '../system/http.ts'
import { userAgent } from '../system/version.ts'
import { systemClock } from '../system/world.ts'
import type { ClientOptions } from './client-options.ts'
import { checkTimeout, unfit } from './unfit.ts'

/** A service, and everything that is shared by the requests to it. Connections are made when they are first needed. */
export interface Connection {
  readonly baseUrl: string
  readonly key: string
  readonly timeout: number | undefined
  readonly hide: (text: string) => string
  http(): Promise<Http>
  /** The client whose requests end with this signal. */
  caller(signal: AbortSignal): Promise<Caller>
  close(): Promise<void>
}

/** Checks the options, and opens nothing yet. Throws UsageFailure. */
export function openConnection(options: ClientOptions): Connection {
  const { multiValue = 'repeat', timeout, env = {} } = options
  const baseUrl = parseAddress(text(options.baseUrl, 'baseUrl'), 'baseUrl')
  refuseInsecure(baseUrl, 'baseUrl')
  const key = checkKey(text(options.key, 'key'), 'key')
  if (multiValue !== 'repeat' && multiValue !== 'comma') throw unfit('multiValue', '"repeat" or "comma"')
  checkTimeout(timeout)
  const secrets = {}
  rememberKey(secrets, key)
  let opened: Promise<Http> | undefined
  const open = async () => {
    const { proxySecrets } = await import('../service/client/proxy.ts')
    for (const secret of proxySecrets(env)) rememberKey(secrets, secret)
    const { openHttp } = await import('../service/client/http.ts')
    const { watched } = await import('../service/client/exchanges.ts')
    return watched(openHttp(env), {
      clock: systemClock,
      onPresigned: query => rememberPresignedQuery(secrets, query),
    })
  }
  const http = () => {
    opened ??= open()
    return opened
  }
  return {
    baseUrl,
    key,
    timeout,
    hide: hideSecrets(secrets),
    http,
    async caller(signal) {
      await loadZod()
      const { createServiceClient: createClient } = await import('../service/client/call.ts')
      const target = { baseUrl, key, multiValue, userAgent, timeout }
      return createClient(target, await http(), { clock: systemClock, signal })
    },
    async close() {
      const closing = opened
      opened = undefined
      await (await closing)?.close()
    },
  }
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw unfit(name, 'a text')
}
