import { Failure, NetworkFailure } from '../errors.ts'

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name could not be looked up; is this machine online?',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half way',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut short',
}
const timeouts = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The system's or undici's code of what went wrong, looked for through causes and groups of errors. */
export function troubleCode(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code
    if (each instanceof AggregateError && each.errors.length > 0) return troubleCode(each.errors[0])
  }
  return ''
}

/** Whether a request that failed so cannot have reached the service. */
export const wasNotSent = (error: unknown): boolean => unsent.has(troubleCode(error))

/** A failed exchange in words. `what` names the other side without secrets: an origin, never a whole upload URL. */
export function asNetworkFailure(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error
  const code = troubleCode(error)
  if (certificate.test(code)) {
    return new NetworkFailure(`${what} has a certificate that this machine does not trust (${code})`, {
      code: 'certificate',
      hint: 'If the service uses a private certificate authority, name its file in NODE_EXTRA_CA_CERTS.',
      cause: error,
    })
  }
  const sentence = sentences[code] ?? (error instanceof Error ? error.message : String(error))
  return new NetworkFailure(`cannot talk to ${what}: ${sentence}`, {
    code: timeouts.has(code) ? 'timeout' : 'network',
    hint: 'Check the address and the network, then run the command again.',
    cause: error,
  })
}
