import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Context, Run } from '../cli/context.ts'
import type { View } from '../cli/output/view.ts'
import { maskKey } from '../config/mask.ts'
import { type Resource, readAs } from '../service/client/read.ts'
import { type ApiKey, apikeys } from '../service/contract/apikeys.ts'
import { Authentication } from '../service/contract/envelope.ts'
import { ServiceFailure } from '../system/errors.ts'
import { callerTarget } from '../uploads/batch/caller.ts'

const fields = [
  'profile',
  'keyFrom',
  'baseUrl',
  'key',
  'email',
  'role',
  'scopeId',
  'scopes',
  'keyStatus',
  'authType',
  'sub',
  'organisationId',
] as const
const view: View = {
  columns: fields.map(field => ({ field })),
  fields: () => new Set(fields),
}

export function register(group: Command, run: Run): void {
  about(group, { does: 'reads', examples: ['whoami', 'whoami --profile sandbox --json'] }).action(
    run(async context => {
      await context.check(view)
      const settings = await context.settings()
      const { key } = await context.target()
      const { caller, record, refusal } = await askWho(context)
      await context.item(view, {
        profile: settings.profileName ?? null,
        keyFrom: settings.key.from,
        // The sandbox's port is only open while the command runs, so its data folder is shown instead.
        baseUrl: await callerTarget(context),
        key: maskKey(key),
        email: caller?.user?.email ?? caller?.email ?? null,
        role: caller?.user?.role ?? null,
        scopeId: caller?.scopeId ?? null,
        scopes: record?.scopes ?? null,
        keyStatus: record?.status ?? null,
        authType: caller?.authType ?? null,
        sub: caller?.sub ?? null,
        organisationId: caller?.organisationId ?? null,
      })
      if (refusal) {
        await context.warn({
          code: 'scopes_unknown',
          message: `the key may not list keys, so its scopes and status are not known: ${refusal.message} (${refusal.code})`,
          hint: refusal.code === 'ACCOUNT_RESTRICTED' ? refusal.hint : undefined,
        })
      }
    }),
  )
}

/**
 * The caller, from the context of an answer, and the record of its key. A key that may not list keys gets the caller from
 * the refusal.
 */
async function askWho(context: Context): Promise<{
  caller: Resource<typeof Authentication> | null
  record?: Resource<typeof ApiKey> | undefined
  refusal?: ServiceFailure
}> {
  try {
    const { items, context: about } = (await context.call(apikeys.list, {})).value
    const caller = about?.authentication ?? null
    const keyId = caller?.keyId ?? null
    return { caller, record: items.find(key => keyId !== null && [key.keyId, key.id].includes(keyId)) }
  } catch (error) {
    if (!(error instanceof ServiceFailure) || error.status !== 403) throw error
    const { authentication = {} } = error
    return { caller: readAs(Authentication(), authentication, () => error), refusal: error }
  }
}
