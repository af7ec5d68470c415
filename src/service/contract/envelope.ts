import type * as zod from 'zod/mini'
import { documentedEnum, late, openEnum, promised, tolerant } from './endpoint.ts'
import { User } from './user.ts'
import { z } from './zod.ts'

/** Who the service says the caller is (§2.1). */
export const Authentication = late(() =>
  z.extend(
    tolerant(
      {
        requestId: z.string(),
        authType: documentedEnum(['apiKey', 'idToken']),
        email: z.string(),
        groups: z.string(),
        keyId: z.string(),
        organisationId: z.string(),
        errorCode: z.string(),
        error: z.string(),
        user: z.lazy(User),
      },
      'any',
    ),
    { sub: z.string(), scopeId: z.string() },
  ),
)

const request = () => ({ path: z.string(), method: z.string(), requestId: z.string() })

/** The context that every success carries (§2.1). */
export const SuccessContext = late(() =>
  z.object({ ...request(), authentication: promised(Authentication()) }),
)

/** The context of an error; `authentication` is missing where it had not completed (§7). */
export const ErrorContext = late(() =>
  z.object({ ...request(), authentication: z.optional(Authentication()) }),
)

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
export const ErrorDetail = late(() =>
  z.object({
    message: z.string(),
    path: z.optional(z.array(z.union([z.string(), z.number()]))),
    code: z.optional(z.string()),
  }),
)

/** The body of every error of the service (§7). */
export const ErrorEnvelope = late(() =>
  z.object({
    error: openEnum(errorCodes),
    message: z.string(),
    context: ErrorContext(),
    details: z.optional(z.array(ErrorDetail())),
  }),
)

type Late<S extends zod.ZodMiniType> = () => S

// Late, since it is the larger part of most answers' schemas, and the client does not rely on it.
const answered = () => ({ context: z.lazy(SuccessContext) })
export const itemOf =
  <T extends zod.ZodMiniType>(item: Late<T>) =>
  () =>
    z.object({ item: promised(item()), ...answered() })
export const itemsOf =
  <T extends zod.ZodMiniType>(item: Late<T>) =>
  () =>
    z.object({ items: z.array(item()), ...answered() })
export const pageOf =
  <T extends zod.ZodMiniType>(item: Late<T>) =>
  () =>
    z.object({ items: z.array(item()), nextToken: z.nullish(z.string()), ...answered() })
export const resultOf =
  <T extends zod.ZodMiniType>(result: Late<T>) =>
  () =>
    z.object({ result: result(), ...answered() })
export const createdWith =
  <T extends zod.ZodMiniType, R extends zod.ZodMiniType>(item: Late<T>, result: Late<R>) =>
  () =>
    z.object({ item: promised(item()), result: result(), ...answered() })
