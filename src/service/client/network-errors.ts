import { Failure, lackOfHandles, NetworkFailure } from '../../system/errors.ts'
import { TunnelRefused } from './proxy-refusal.ts'
import { BrokenReply } from './reply.ts'

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was cut',
  ECONNABORTED: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name could not be looked up; is this machine online?',
  EAI_FAIL: 'the name could not be looked up',
  ELOCALHOST: 'on this machine localhost leads elsewhere; write 127.0.0.1',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENETDOWN: 'the network is down',
  EADDRNOTAVAIL: 'the network cannot be reached from this machine',
  EACCES: 'this machine does not allow the connection',
  EPERM: 'this machine does not allow the connection',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
  ETIMEDOUT: 'the connection timed out',
  ERR_SOCKET_CONNECTION_TIMEOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half way',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut short',
}

/** Errors of a server that does not speak the protocol of the address. A retry would fail in the same way. */
const protocolErrors: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'its answer begins with far too many headers',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there; is the address http and not https?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there; is the address http and not https?',
  ERR_SSL_HTTP_REQUEST: 'it does not speak TLS there; is the address http and not https?',
}

const certificates: Readonly<Record<string, readonly [string, string]>> = {
  CERT_HAS_EXPIRED: [
    'that has expired',
    'Its operator must renew the certificate; check the clock of this machine too.',
  ],
  CERT_NOT_YET_VALID: ['that is not valid yet', 'Check the clock of this machine.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'for another host',
    'Check the host in the address; if it is right, its operator must replace the certificate.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'that is self-signed',
    'If you trust it, name its file in NODE_EXTRA_CA_CERTS.',
  ],
}
const isAboutCertificate = /CERT|SELF_SIGNED|UNABLE_TO_GET|UNABLE_TO_VERIFY/

const timeouts = new Set([
  'ETIMEDOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
const cuts = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'])
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EMFILE',
  'ENFILE',
])

/** The error code of the system or of undici, also if it is in a cause or in a group of errors. */
function errorCodeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof Failure) continue
    if ('code' in each && typeof each.code === 'string') return each.code
    if (each.name === 'HTTPParserError') return each.name
    if (each instanceof AggregateError && each.errors.length > 0) return errorCodeOf(each.errors[0])
  }
  return ''
}

/** Whether a request that failed in this way cannot have reached the service. */
export const wasNotSent = (error: unknown): boolean =>
  error instanceof TunnelRefused || unsent.has(errorCodeOf(error))

/** Whether the other side closed the connection, so that an answer that it sent before may be lost. */
export const wasCut = (error: unknown): boolean => cuts.has(errorCodeOf(error))

/** Whether too many files are open, so that no file or connection can be opened until others are closed. */
export const isOutOfHandles = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(errorCodeOf(error))

/** Whether a request that failed in this way would fail again. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof BrokenReply) return false
  if (error instanceof Failure && error.code !== 'timeout' && error.code !== 'network') return true
  const code = errorCodeOf(error)
  return isAboutCertificate.test(code) || code in protocolErrors || code.startsWith('ERR_SSL_')
}

/** The failure for a failed exchange. `what` names the other side without secrets: an origin, never an upload URL. */
export function asNetworkFailure(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error
  const code = errorCodeOf(error)
  // A bug in pubctl must not be reported as a network failure, nor retried.
  if (code === '' && isProgrammingError(error)) throw error
  if (isAboutCertificate.test(code)) {
    const [trouble, hint] = certificates[code] ?? [
      'that this machine does not trust',
      'If it uses a private certificate authority, name the file of that in NODE_EXTRA_CA_CERTS.',
    ]
    return new NetworkFailure(`${what} has a certificate ${trouble} (${code})`, {
      code: 'certificate',
      hint,
      cause: error,
    })
  }
  const protocolError = protocolErrors[code] ?? protocolErrorOf(code)
  if (protocolError !== undefined) {
    return new NetworkFailure(`cannot talk to ${what}: ${protocolError}`, {
      code: 'bad_reply',
      hint: 'Check that the address, its port and its scheme are those of the service.',
      cause: error,
    })
  }
  return new NetworkFailure(`cannot talk to ${what}: ${messageFor(error, code)}`, {
    code: timeouts.has(code) ? 'timeout' : 'network',
    hint: lackOfHandles(code)?.hint ?? 'Check the address and the network, then run the command again.',
    cause: error,
  })
}

const isProgrammingError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError

function protocolErrorOf(code: string): string | undefined {
  if (code === 'HTTPParserError') return 'what answers there is not HTTP'
  return code.startsWith('ERR_SSL_') ? `no TLS connection is possible (${code})` : undefined
}

function messageFor(error: unknown, code: string): string {
  const message = error instanceof Error ? error.message : String(error)
  // Node uses the same code if the connection was cut during the TLS handshake, which has other causes.
  if (code === 'ECONNRESET' && message.includes('before secure TLS'))
    return 'the connection was cut before it was encrypted; does it speak TLS there?'
  return messages[code] ?? (message.split('\n')[0] as string)
}
