import { UsageFailure } from '../system/errors.ts'
import { isLoopback } from '../system/loopback.ts'

/**
 * Normalises a service's address: origin and path prefix, without a slash at the end. Throws UsageFailure `unfit_address`,
 * which names `source` (an option, a variable, a profile) and not the address, because that may contain a password.
 */
export function parseAddress(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const trouble =
    url === undefined || !/^https?:\/\/[^\s\\]+$/i.test(text)
      ? 'is not an absolute http or https address'
      : url.username !== '' || url.password !== ''
        ? 'has a user name or a password in it'
        : /[?#]/.test(text)
          ? 'has a query or a fragment in it'
          : /\/v1\/*$/.test(url.pathname)
            ? 'ends in /v1, which pubctl adds by itself'
            : undefined
  if (url === undefined || trouble !== undefined) {
    throw new UsageFailure(`the address in ${source} ${trouble}`, {
      code: 'unfit_address',
      hint: 'Write it like https://api.example.com, without /v1 at its end.',
    })
  }
  let end = url.pathname.length
  while (url.pathname.at(end - 1) === '/') end--
  return url.origin + url.pathname.slice(0, end)
}

/** Throws UsageFailure `insecure_address` for plain http to another machine, which would send the key unencrypted. */
export function refuseInsecure(address: string, source: string): void {
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw new UsageFailure(`the address in ${source} is http, which would send the key unencrypted`, {
    code: 'insecure_address',
    hint: 'Use https, or allow http in a profile for this address: pubctl profile setup --allow-http.',
  })
}

/** Whether two addresses have the same scheme, host and port. */
export const isSameOrigin = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin
