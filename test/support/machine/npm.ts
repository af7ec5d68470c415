import { join } from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of certificate authorities that Node.js was to trust. */
    readonly authorities: string | undefined
    /** The variables that name a proxy. */
    readonly proxies: Record<string, string>
  }
}

/**
 * How npm reaches packages from a home that is empty: this machine's cache first, so that nothing is downloaded twice, and its
 * registry. It gives up at once where there is none.
 */
export function npmEnvironment(): Record<string, string> {
  const { HOME = '', npm_config_cache: cache = join(HOME, '.npm') } = process.env
  const authorities = inject('authorities')
  return {
    npm_config_cache: cache,
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(HOME, '.npmrc'),
    npm_config_prefer_offline: 'true',
    npm_config_fetch_retries: '0',
    npm_config_fetch_timeout: '20000',
    npm_config_update_notifier: 'false',
    ...inject('proxies'),
    ...(authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
  }
}

/** Whether npm failed because what it needs is neither in its cache nor to be had from a registry. */
export const lacksPackages = (output: string): boolean =>
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/.test(
    output,
  )

export const noPackages = 'neither npm’s cache nor the registry has what it needs'
