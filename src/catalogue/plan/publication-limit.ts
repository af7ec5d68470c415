import type { Call } from '../../service/client/call.ts'
import { recordsIn } from '../../service/client/pages.ts'
import { users } from '../../service/contract/users.ts'
import { Failure, Interrupted } from '../../system/errors.ts'

/** How many publications the caller's organisation may have; null if the service does not say. */
export async function publicationLimit(call: Call): Promise<number | null> {
  try {
    const reply = await call(users.list, {})
    const { sub, user } = reply.context?.authentication ?? {}
    const all = recordsIn(reply)
    const billing =
      user?.billing ?? all.find(each => each.sub === sub)?.billing ?? all.find(each => each.billing)?.billing
    const limit = billing?.publicationLimit
    return Number.isSafeInteger(limit) ? Number(limit) : null
  } catch (error) {
    // A key may not be allowed to list users, and the plan can do without.
    if (!(error instanceof Failure) || error instanceof Interrupted) throw error
    return null
  }
}
