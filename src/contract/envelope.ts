import * as z from 'zod'
import { documentedEnum, openEnum, promised, tolerant } from './endpoint.ts'
import { User } from './user.ts'

/** Who the service says the caller is (§2.1). */
export const Authentication = tolerant(
  {
    requestId: z.string(),
    authType: documentedEnum(['apiKey', 'idToken']),
    email: z.string(),
    groups: z.string(),
    keyId: z.string(),
    organisationId: z.string(),
    errorCode: z.string(),
    error: z.string(),
    user: User,
  },
  'any',
).extend({ sub: z.string(), scopeId: z.string() })

const request = { path: z.string(), method: z.string(), requestId: z.string() }

/** The context that every success carries (§2.1). */
export const Context = z.object({ ...request, authentication: promised(Authentication) })

/** The context of an error; `authentication` is missing where it had not completed (§7). */
export const ErrorContext = z.object({ ...request, authentication: Authentication.optional() })

export const errorCodes = [
  'QL_ERROR',
  'ZOD_ERROR',
  'DB_ERROR',
  'UNKNOWN_ERROR',
  'INTERNAL_ERROR',
  'UNSUPPORTED_METHOD',
  'INVALID_REQUEST',
  'EMPTY_RESPONSE',
  'AUTHENTICATION_ERROR',
  'ACCOUNT_RESTRICTED',
  'PROVIDER_ERROR',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** One finding of a validation error; numbers in `path` are array indexes (§7). */
export const ErrorDetail = z.object({
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  code: z.string().optional(),
})

/** The body of every error of the service (§7). */
export const ErrorEnvelope = z.object({
  error: openEnum(errorCodes),
  message: z.string(),
  context: ErrorContext,
  details: z.array(ErrorDetail).optional(),
})

const answered = { context: Context }
export const itemOf = <T extends z.ZodType>(item: T) => z.object({ item: promised(item), ...answered })
export const itemsOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), ...answered })
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextToken: z.string().nullish(), ...answered })
export const resultOf = <T extends z.ZodType>(result: T) => z.object({ result, ...answered })
export const createdWith = <T extends z.ZodType, R extends z.ZodType>(item: T, result: R) =>
  z.object({ item: promised(item), result, ...answered })
