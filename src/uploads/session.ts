import type { PutTarget } from '../client/upload-target.ts'
import { NetworkFailure } from '../errors.ts'

/** An upload session as far as sending needs it. */
export interface Session extends PutTarget {
  /** Seconds that it can be used. */
  readonly expiresIn: number | undefined
  readonly cover: PutTarget | undefined
}

/**
 * Reads the `result` of a creation or an upload intent (§2.9); throws when there is nowhere to send the file. It does so
 * without a schema, since zod takes longer to load than many a file takes to be sent.
 */
export function readSession(result: unknown): Session {
  const file = targetIn(result)
  const { expiresIn, cover } = result as Readonly<Record<string, unknown>>
  return {
    ...file,
    expiresIn: typeof expiresIn === 'number' ? expiresIn : undefined,
    cover: cover === undefined || cover === null ? undefined : targetIn(cover, 'cover'),
  }
}

/** Reads one place to send a file to, such as an asset's upload descriptor (§2.5). */
export const readTarget = (descriptor: unknown): PutTarget => targetIn(descriptor)

function targetIn(value: unknown, ...place: readonly string[]): PutTarget {
  if (!isObject(value)) throw unusable(...place)
  const { uploadUrl, requiredHeaders } = value
  if (typeof uploadUrl !== 'string') throw unusable(...place, 'uploadUrl')
  const headers = requiredHeaders ?? {}
  if (!isObject(headers)) throw unusable(...place, 'requiredHeaders')
  for (const [name, text] of Object.entries(headers))
    if (typeof text !== 'string') throw unusable(...place, 'requiredHeaders', name)
  return { uploadUrl, requiredHeaders: headers as Readonly<Record<string, string>> }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unusable = (...place: readonly string[]): NetworkFailure =>
  new NetworkFailure(`the service's upload session is not usable: see its ${place.join('.') || 'result'}`, {
    code: 'bad_session',
    hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
  })
