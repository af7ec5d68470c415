import { endpoint, late, noInput, tolerant } from './endpoint.ts'
import { itemsOf, resultOf } from './envelope.ts'
import { User } from './user.ts'
import { z } from './zod.ts'

/** The outcome of deleting the current user (§2.14). */
const DeleteOutcome = late(() => tolerant({ success: z.boolean(), error: z.string() }, ['error']))

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/v1/users',
    status: 200,
    errors: [400, 401, 403, 405],
    summary: 'List the users of the organisation',
    input: () => z.strictObject({ searchTerm: z.optional(z.string()) }),
    output: itemsOf(User),
  }),
  deleteMe: endpoint({
    method: 'DELETE',
    path: '/v1/users',
    status: 200,
    errors: [400, 401, 403, 405, 500],
    summary: 'Delete the current user',
    input: noInput,
    output: resultOf(DeleteOutcome),
  }),
}
