import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import { UsageFailure } from '../../system/errors.ts'
import { isLoopback } from '../../system/loopback.ts'
import { anyFile } from '../../system/may-read.ts'
import { readTextFile } from '../../system/open-file.ts'

/** What the user says of TLS, as libpq reads it: in the address, or else in variables and below the home folder. */
export interface TlsWishes {
  readonly url: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

/** The largest file of certificates that is read, in bytes. */
const mostCertificates = 4 * 1024 * 1024

/** The parameters of an address that are about TLS, and the variables that stand for them. */
const variables = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const

/** The address without what it says of TLS, for the driver, which reads that in another way than libpq. */
export function withoutTls(url: string): string {
  const parsed = new URL(url)
  if (parsed.searchParams.has('ssl') || parsed.searchParams.has('uselibpqcompat'))
    throw badAddress(
      'has a parameter that PostgreSQL does not know',
      'Write sslmode=verify-full in place of ssl=true.',
    )
  for (const name of Object.keys(variables)) parsed.searchParams.delete(name)
  return parsed.href
}

/** Whether a host, as the driver names it, is this machine: a folder of sockets, or loopback. */
const isThisMachine = (host: string): boolean => host.startsWith('/') || isLoopback(host)

/**
 * What TLS is asked of a host: none only on this machine or by `sslmode=disable`, and otherwise with a certificate that is
 * checked, unless `sslmode` asks for less. Throws UsageFailure `bad_database_url` and `file_unreadable`.
 */
export async function tlsFor(
  host: string,
  { url, env, home }: TlsWishes,
): Promise<false | ConnectionOptions> {
  const { searchParams } = new URL(url)
  const given = (name: keyof typeof variables) =>
    searchParams.getAll(name).at(-1) || env[variables[name]] || undefined
  const isHere = isThisMachine(host)
  const mode = modeOf(given('sslmode') ?? (isHere ? 'disable' : 'verify-full'), isHere)
  if (mode === 'disable' || host.startsWith('/')) return false
  const root = given('sslrootcert') ?? (await existing(join(home, '.postgresql', 'root.crt')))
  if (root === 'system' && mode !== 'verify-full')
    throw badAddress(
      `has sslmode=${mode} with sslrootcert=system`,
      'With the authorities of the system, only verify-full checks the host.',
    )
  const [cert, key] = await Promise.all([given('sslcert'), given('sslkey')].map(readPem))
  const own = { ...(cert && { cert }), ...(key && { key }) }
  if (mode === 'require' && root === undefined) return { ...own, rejectUnauthorized: false }
  if (mode === 'verify-ca' && root === undefined)
    throw badAddress(
      'has sslmode=verify-ca and no sslrootcert',
      'Name the certificate of your authority, or write sslmode=verify-full.',
    )
  const ca = root === undefined || root === 'system' ? undefined : await readAuthorities(root)
  return {
    ...own,
    ...(ca && { ca }),
    // In so many words, or NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
    rejectUnauthorized: true,
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  }
}

function modeOf(text: string, isHere: boolean): Mode {
  const mode = modes.find(each => each === text)
  if (mode === undefined)
    throw badAddress(`has sslmode=${text}, which there is not`, `Choose one of ${modes.join(', ')}.`)
  if (mode !== 'allow' && mode !== 'prefer') return mode
  if (isHere) return 'disable'
  throw badAddress(
    `has sslmode=${mode}, by which all of it may go unencrypted`,
    'Write sslmode=verify-full or, on a network that you trust, sslmode=disable.',
  )
}

const existing = async (path: string): Promise<string | undefined> =>
  await stat(path).then(
    () => path,
    () => undefined,
  )

const readPem = async (path: string | undefined): Promise<string | undefined> =>
  path === undefined ? undefined : await readTextFile(path, anyFile, mostCertificates)

async function readAuthorities(path: string): Promise<string> {
  const text = (await readPem(path)) ?? ''
  if (/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(text)) return text
  throw new UsageFailure(`${path} has no PEM certificate in it, which sslrootcert should name`, {
    code: 'file_unreadable',
    hint: 'Name the file with the certificate of your authority.',
  })
}

const badAddress = (fault: string, hint: string): UsageFailure =>
  new UsageFailure(`the address of the database ${fault}`, { code: 'bad_database_url', hint })
