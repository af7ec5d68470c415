import { exitCodes, Failure, UsageFailure } from '../../system/errors.ts'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** Errors of the operating system by which a server is not reachable, be it only for now. */
const unreachable = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]

/**
 * Whether a connection was lost or could not be made, as while a server restarts: class 08, its shutdown and start
 * (57P01–57P03), and too many connections.
 */
export const isConnectionError = (error: unknown): boolean =>
  /^08|^57P0[123]$|^53300$/.test(codeOf(error)) ||
  unreachable.includes(codeOf(error)) ||
  /^Connection terminated|timeout exceeded when trying to connect|^Query read timeout/.test(messageOf(error))

/** Whether an error is one of the database or of the way to it, be it among others or the cause of another one. */
export function isOfDatabase(error: unknown): boolean {
  if (isConnectionError(error) || /^[0-9A-Z]{5}$/.test(codeOf(error))) return true
  if (error instanceof AggregateError && error.errors.some(isOfDatabase)) return true
  return error instanceof Error && error.cause !== undefined && isOfDatabase(error.cause)
}

/** Whether a transaction met another one and may be repeated. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** The failure for an error of the database. */
export function databaseFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const message = messageOf(error)
  if (isConnectionError(error)) {
    return new Failure(`the database of the queue cannot be reached: ${message || codeOf(error)}`, {
      code: 'database_unreachable',
      exitCode: exitCodes.network,
      hint: 'Is PostgreSQL running there? What is in the queue stays as it is.',
      cause: error,
    })
  }
  if (/TLS|CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/.test(codeOf(error))) {
    return new Failure(
      `the certificate of the database's server is not trusted: ${message} (${codeOf(error)})`,
      {
        code: 'database_certificate',
        exitCode: exitCodes.network,
        hint: 'Name the file of its authority in the address, with sslrootcert=, or in NODE_EXTRA_CA_CERTS.',
        cause: error,
      },
    )
  }
  if (/^The server does not support SSL|error establishing an SSL connection$/.test(message)) {
    return new UsageFailure(
      'the server of the database offers no TLS, so the password and all steps could be read',
      {
        code: 'database_no_tls',
        hint: 'Turn TLS on there. On a network that you trust, write sslmode=disable into the address.',
        cause: error,
      },
    )
  }
  const isRefused = /^28|^3D000$/.test(codeOf(error))
  return new UsageFailure(`the database of the queue refuses: ${message}`, {
    code: isRefused ? 'database_refused' : 'database_unusable',
    hint: isRefused
      ? 'See that the user, the password and the name of the database are right.'
      : 'The user needs the right to create schemas there; PostgreSQL 13 and later are supported.',
    cause: error,
  })
}

function messageOf(error: unknown): string {
  // Of several addresses of a host, each has its own error.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
