import type { Command } from '@commander-js/extra-typings'
import { recordsIn } from '../client/pages.ts'
import { maskKey } from '../config/mask.ts'
import { apikeys } from '../contract/apikeys.ts'
import type { View } from '../output/view.ts'
import type { Run } from '../program.ts'
import { about } from './about.ts'
import { targetOf } from './upload-tools.ts'

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
] as const
const view: View = {
  columns: fields.map(field => ({ field, isWhole: true })),
  fields: () => new Set(fields),
  empty: '',
}

export function register(group: Command, run: Run): void {
  about(group, { examples: ['whoami', 'whoami --profile sandbox --json'] }).action(
    run(async context => {
      await context.check(view)
      const settings = await context.settings()
      const { key } = await context.target()
      const reply = await context.call(apikeys.list, {})
      const caller = reply.context?.authentication
      const record = recordsIn(reply).find(
        ({ keyId, id }) => caller?.keyId && (keyId === caller.keyId || id === caller.keyId),
      )
      await context.item(view, {
        profile: settings.profileName ?? null,
        keyFrom: settings.key.from,
        // The sandbox's port is gone when the command is over; its folder is what tells it from another one.
        baseUrl: await targetOf(context),
        key: maskKey(key),
        email: caller?.user?.email ?? caller?.email ?? null,
        role: caller?.user?.role ?? null,
        scopeId: caller?.scopeId ?? null,
        scopes: record?.scopes ?? null,
        keyStatus: record?.status ?? null,
      })
    }),
  )
}
