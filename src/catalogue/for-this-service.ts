import type { Context } from '../cli/context.ts'
import type { PlanHeader } from '../plan/plan-step.ts'
import { publications } from '../service/contract/publications.ts'
import { UsageFailure } from '../system/errors.ts'
import { callerTarget } from '../uploads/batch/caller.ts'

/** Where this command goes: the service as plans name it, and the scope of the key. Asks the service for that. */
export async function destinationOf(context: Context): Promise<Pick<PlanHeader, 'baseUrl' | 'scopeId'>> {
  await context.call(publications.list, { limit: 1 })
  return { baseUrl: await callerTarget(context), scopeId: context.scopeId() }
}

/** Refuses a plan for another address or another scope, before anything is sent. `name` is what messages call the plan. */
export async function mustBeForThisService(
  context: Context,
  name: string,
  { baseUrl, scopeId }: Pick<PlanHeader, 'baseUrl' | 'scopeId'>,
): Promise<void> {
  const target = await callerTarget(context)
  if (baseUrl !== target) {
    throw new UsageFailure(`${name} was made for ${baseUrl}, and this command goes to ${target}`, {
      code: 'other_service',
      hint: 'Nothing was sent. Choose the profile of that address, or plan again.',
    })
  }
  const now = (await destinationOf(context)).scopeId
  if (now !== scopeId) {
    throw new UsageFailure(
      `${name} was made for the organisation ${scopeId ?? '(none)'}, and the API key of this command is of ${now ?? '(none)'}`,
      {
        code: 'other_organisation',
        hint: 'Nothing was sent. Choose the profile of that organisation, or plan again.',
      },
    )
  }
}
