import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { deleteEach } from '../cli/delete-each.ts'
import { showItem } from '../cli/item.ts'
import { list, listing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import { repeatedChoice } from '../cli/repeatable.ts'
import type { Resource } from '../service/client/read.ts'
import { ApiKey, apiKeyScopes, apiKeyStatuses, apikeys } from '../service/contract/apikeys.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import { UsageFailure } from '../system/errors.ts'

const view: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'name', isMain: true },
    { field: 'prefix' },
    { field: 'suffix', isMinor: true },
    { field: 'scopes' },
    { field: 'status' },
    { field: 'created', kind: 'date', isCutLast: true, isMinor: true },
    { field: 'lastUsed', kind: 'date', isCutLast: true, isMinor: true },
    { field: 'expires', kind: 'date', isDetail: true },
    { field: 'revoked', kind: 'date', isDetail: true },
    { field: 'keyId', isDetail: true },
    { field: 'userId', isDetail: true },
  ],
  fields: () => fieldsOf(ApiKey),
  empty: 'There are no API keys.',
}

export function register(group: Command, run: Run): void {
  about(listing(group.command('list').description(apikeys.list.summary)), {
    does: 'reads',
    examples: ['apikeys list'],
  }).action(
    run(async (context, paging) => {
      const pages: (readonly Resource<typeof ApiKey>[])[] = []
      await list(context, view, apikeys.list, {}, { ...paging, onItems: items => void pages.push(items) })
      const { warningsOfKeys } = await import('../doctor/key-warnings.ts')
      for (const warning of warningsOfKeys(pages.flat(), context.world.clock.now()))
        await context.warn(warning)
    }),
  )

  about(group.command('get <id>').description(apikeys.get.summary), {
    does: 'reads',
    examples: ['apikeys get key_123'],
  }).action(run(async (context, id) => await showItem(context, view, apikeys.get, { id })))

  about(group.command('update <id>').description(apikeys.update.summary), {
    does: 'changes',
    notForAgents: 'it takes access away from a person or a program',
    examples: [
      'apikeys update key_123 --scope read --scope write',
      'apikeys update key_123 --status inactive',
    ],
  })
    .option('--name <name>', 'the name of the key')
    .addOption(repeatedChoice('--scope <scope>', 'what it may do', apiKeyScopes))
    .addOption(new Option('--status <status>', 'whether it can be used').choices(apiKeyStatuses))
    .action(
      run(async (context, id, { name, scope, status }) => {
        await context.check(view)
        if (name === undefined && scope === undefined && status === undefined) {
          throw new UsageFailure('there is nothing to change', { hint: 'Name --name, --scope or --status.' })
        }
        const reply = await context.change(apikeys.update, { id, name, scopes: scope, status })
        if (reply) await context.item(view, reply.raw.item)
      }),
    )

  about(group.command('delete <id...>').description(apikeys.delete.summary), {
    does: 'deletes',
    notForAgents: 'it takes access away from a person or a program',
    examples: ['apikeys delete key_123 --yes'],
  }).action(
    run(async (context, ids) => {
      const keyNameOf = async (id: string) => (await context.call(apikeys.get, { id })).value.item?.name
      await deleteEach(context, ids, { noun: 'API key', endpoint: apikeys.delete, view, nameOf: keyNameOf })
    }),
  )
}
