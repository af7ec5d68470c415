import type { Call } from '../../service/client/call.ts'
import { users } from '../../service/contract/users.ts'
import { Failure, Interrupted } from '../../system/errors.ts'

/** How many publications the caller's organisation may have; null if the service does not say. */
export async function publicationLimit(call: Call): Promise<number | null> {
  try {
    const { items, context } = (await call(users.list, {})).value
    const caller = context?.authentication
    const billing =
      caller?.user?.billing ??
      items.find(({ sub }) => sub !== null && sub === caller?.sub)?.billing ??
      items.find(each => each.billing)?.billing
    return billing?.publicationLimit ?? null
  } catch (error) {
    // A key may not be allowed to list users, and the plan can do without.
    if (!(error instanceof Failure) || error instanceof Interrupted) throw error
    return null
  }
}
