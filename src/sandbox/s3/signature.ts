import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type S3Error, s3Errors } from './errors.ts'

const algorithm = 'AWS4-HMAC-SHA256'
const root = '/uploads/'

/** What a presigned URL grants: one object to be PUT, with these headers, until then. */
interface Grant {
  objectKey: string
  /** By their names as the client is given them. */
  headers: Record<string, string>
  /** Milliseconds since 1970. */
  issuedAt: number
  /** In seconds. */
  expiresIn: number
}

/** The path and query of a signed URL. Neither host nor port is signed: any server of the sandbox may answer. */
export function signedPath(secret: Buffer, { objectKey, headers, issuedAt, expiresIn }: Grant): string {
  const path = pathOf(objectKey)
  const query = new URLSearchParams({
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Date': amzDate(issuedAt),
    'X-Amz-Expires': String(expiresIn),
    'X-Amz-SignedHeaders': Object.keys(headers)
      .map(name => name.toLowerCase())
      .sort()
      .join(';'),
  })
  const values = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  query.set('X-Amz-Signature', sign(secret, canonicalRequest(path, query, values)))
  return `${path}?${query}`
}

/** The object that a PUT to `url` (path and query) with these headers may write now, or why it may not. */
export function checkSignature(
  secret: Buffer,
  url: string,
  headers: IncomingHttpHeaders,
  now: number,
): { objectKey: string } | { error: S3Error } {
  const [rawPath = '', ...rest] = url.split('?')
  const query = new URLSearchParams(rest.join('?'))
  const objectKey = objectKeyOf(rawPath)
  if (objectKey === undefined) return { error: s3Errors.badUri(rawPath) }

  const lifetime = query.get('X-Amz-Expires') ?? ''
  const expires = timeOfAmzDate(query.get('X-Amz-Date') ?? '') + Number(lifetime) * 1000
  // An invalid date or lifetime gives NaN, which is never past; the signature check refuses it then.
  if (now >= expires && Number.isFinite(new Date(expires).getTime())) {
    return { error: s3Errors.expired(expires, now, lifetime) }
  }
  const canonical = canonicalRequest(pathOf(objectKey), query, headers)
  const given = Buffer.from(query.get('X-Amz-Signature') ?? '')
  const expected = Buffer.from(sign(secret, canonical))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { error: s3Errors.badSignature(canonical) }
  }
  const signed = signedHeaders(query)
  const unsigned = Object.keys(headers).filter(name => name.startsWith('x-amz-') && !signed.includes(name))
  return unsigned.length > 0 ? { error: s3Errors.unsignedHeaders(unsigned) } : { objectKey }
}

const sign = (secret: Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('hex')
const signedHeaders = (query: URLSearchParams): string[] =>
  (query.get('X-Amz-SignedHeaders') ?? '').split(';')

/** The text that is signed, as in S3: method, path, query and signed headers. */
function canonicalRequest(path: string, query: URLSearchParams, headers: IncomingHttpHeaders): string {
  const parameters = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(pair => pair.map(encodeRfc3986).join('='))
    .sort()
  const names = signedHeaders(query)
  const lines = names.map(
    name =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}`,
  )
  return ['PUT', path, parameters.join('&'), ...lines, '', names.join(';')].join('\n')
}

const pathOf = (objectKey: string): string => root + objectKey.split('/').map(encodeRfc3986).join('/')

function objectKeyOf(path: string): string | undefined {
  try {
    return path.startsWith(root) ? decodeURIComponent(path.slice(root.length)) : undefined
  } catch {
    return undefined
  }
}

const encodeRfc3986 = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** 20250131T235959Z */
const amzDate = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

const timeOfAmzDate = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
