/** An error as S3 words it. `extra` are further elements of its XML, in order. */
export interface S3Error {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly extra?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The largest object that S3 takes in one PUT. */
export const largestPut = 5 * 2 ** 30

/** The errors that a presigned PUT can meet; each is a function of what is particular to the request. */
export const s3Errors = {
  methodNotAllowed: (method: string): S3Error => ({
    status: 405,
    code: 'MethodNotAllowed',
    message: 'The specified method is not allowed against this resource.',
    extra: { Method: method, ResourceType: 'OBJECT' },
    headers: { allow: 'PUT' },
  }),
  foreignOrigin: (message: string): S3Error => ({ status: 403, code: 'AccessDenied', message }),
  secondCredential: (): S3Error => ({
    status: 400,
    code: 'InvalidArgument',
    message:
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
    // S3 repeats the header's value here; a key that went astray must not come back in a log.
    extra: { ArgumentName: 'Authorization' },
  }),
  chunked: (encoding: string): S3Error => ({
    status: 501,
    code: 'NotImplemented',
    message: 'A header you provided implies functionality that is not implemented',
    extra: { Header: 'Transfer-Encoding', additionalMessage: encoding },
  }),
  expired: (expires: number, now: number, lifetime: string): S3Error => ({
    status: 403,
    code: 'AccessDenied',
    message: 'Request has expired',
    extra: { 'X-Amz-Expires': lifetime, Expires: isoSeconds(expires), ServerTime: isoSeconds(now) },
  }),
  badSignature: (canonicalRequest: string): S3Error => ({
    status: 403,
    code: 'SignatureDoesNotMatch',
    message:
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    extra: { CanonicalRequest: canonicalRequest },
  }),
  unsignedHeaders: (names: string[]): S3Error => ({
    status: 403,
    code: 'AccessDenied',
    message: 'There were headers present in the request which were not signed',
    extra: { HeadersNotSigned: names.join(', ') },
  }),
  badUri: (uri: string): S3Error => ({
    status: 400,
    code: 'InvalidURI',
    message: "Couldn't parse the specified URI.",
    extra: { URI: uri },
  }),
  noLength: (): S3Error => ({
    status: 411,
    code: 'MissingContentLength',
    message: 'You must provide the Content-Length HTTP header.',
  }),
  tooLarge: (bytes: number): S3Error => ({
    status: 400,
    code: 'EntityTooLarge',
    message: 'Your proposed upload exceeds the maximum allowed size',
    extra: { ProposedSize: String(bytes), MaxSizeAllowed: String(largestPut) },
  }),
  malformedDigest: (digest: string): S3Error => ({
    status: 400,
    code: 'InvalidDigest',
    message: 'The Content-MD5 you specified was invalid.',
    extra: { 'Content-MD5': digest },
  }),
  otherDigest: (expected: string, calculated: string): S3Error => ({
    status: 400,
    code: 'BadDigest',
    message: 'The Content-MD5 you specified did not match what we received.',
    extra: { ExpectedDigest: expected, CalculatedDigest: calculated },
  }),
  incomplete: (): S3Error => ({
    status: 400,
    code: 'IncompleteBody',
    message: 'You did not provide the number of bytes specified by the Content-Length HTTP header',
  }),
  stalled: (): S3Error => ({
    status: 400,
    code: 'RequestTimeout',
    message:
      'Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed.',
  }),
  diskFull: (): S3Error => ({
    status: 503,
    code: 'SlowDown',
    message: 'No space is left on the disk that holds the uploads.',
  }),
  injected: (status: 429 | 500 | 503): S3Error => ({
    status,
    code: { 429: 'TooManyRequests', 500: 'InternalError', 503: 'SlowDown' }[status],
    message: 'The sandbox rehearses this status; nothing was stored.',
    ...(status === 429 && { headers: { 'retry-after': '1' } }),
  }),
  internal: (): S3Error => ({
    status: 500,
    code: 'InternalError',
    message: 'We encountered an internal error. Please try again.',
  }),
}

const isoSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`
