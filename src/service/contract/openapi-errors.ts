import type { Endpoint, ErrorStatus } from './endpoint.ts'
import { type ErrorCode, errorCodes } from './envelope.ts'

type Json = Record<string, unknown>

interface ErrorResponse {
  readonly name: string
  readonly description: string
  /** The codes that the service's document has for the status (§7). */
  readonly codes: readonly ErrorCode[]
  readonly headers?: Json
}

const errorResponses: Record<ErrorStatus, ErrorResponse> = {
  400: {
    name: 'BadRequest',
    description: 'Body or parameters failed validation; `details` tell where.',
    codes: errorCodes,
  },
  401: {
    name: 'Unauthorized',
    description: 'Missing or invalid credentials.',
    codes: ['AUTHENTICATION_ERROR'],
  },
  403: {
    name: 'Forbidden',
    description: 'Caller not allowed.',
    codes: ['AUTHENTICATION_ERROR', 'ACCOUNT_RESTRICTED'],
  },
  404: { name: 'NotFound', description: 'Requested resource not found.', codes: ['EMPTY_RESPONSE'] },
  405: {
    name: 'MethodNotAllowed',
    description: 'Method not supported on the path.',
    codes: ['UNSUPPORTED_METHOD'],
    headers: { Allow: { description: 'The methods that the path supports.', schema: { type: 'string' } } },
  },
  500: {
    name: 'ServerError',
    description: 'Server-side failure.',
    codes: ['DB_ERROR', 'UNKNOWN_ERROR', 'INTERNAL_ERROR', 'INVALID_REQUEST', 'PROVIDER_ERROR'],
  },
}

/** The error responses that the document names. */
export const namedErrors = (): Json =>
  Object.fromEntries(
    Object.values(errorResponses).map(({ name, codes, ...response }) => [
      name,
      { ...response, content: contentOf(errorWith(codes)) },
    ]),
  )

/** The error responses of an endpoint, by status. */
export function errorsOf({ errors }: Endpoint): Json {
  if (errors.length === 0) {
    return {
      '4XX': {
        description: 'An error; which ones may come is not documented.',
        content: contentOf(errorEnvelope),
      },
    }
  }
  return Object.fromEntries(
    errors.map(status => [status, { $ref: `#/components/responses/${errorResponses[status].name}` }]),
  )
}

const errorEnvelope = { $ref: '#/components/schemas/ErrorEnvelope' }

/** An error envelope with one of these codes; validation errors also have the paths. */
const errorWith = (codes: readonly ErrorCode[]): Json => ({
  allOf: [errorEnvelope, { type: 'object', properties: { error: { type: 'string', enum: codes } } }],
  ...(codes.includes('ZOD_ERROR') && {
    if: { type: 'object', properties: { error: { const: 'ZOD_ERROR' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { type: 'object', properties: { details: { type: 'array' } }, required: ['details'] },
  }),
})

const contentOf = (schema: Json): Json => ({ 'application/json': { schema } })
