import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { deleteEach } from '../cli/delete-each.ts'
import { changeItem, showItem } from '../cli/item.ts'
import { list, listing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import { Domain, domains } from '../service/contract/domains.ts'
import { fieldsOf } from '../service/contract/fields.ts'

const view: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'domain', isMain: true },
    { field: 'description' },
    { field: 'isInUse' },
    { field: 'readerInstanceIds', isDetail: true },
    { field: 'createdAtIso', kind: 'date', isCutLast: true, isMinor: true },
    { field: 'updatedAtIso', kind: 'date', isDetail: true },
  ],
  fields: () => fieldsOf(Domain),
  empty: 'No domains are permitted. Permit one: pubctl domains create reader.example.org',
}

export function register(group: Command, run: Run): void {
  about(listing(group.command('list').description(domains.list.summary)), {
    does: 'reads',
    examples: ['domains list', 'domains list --query "[?isInUse].domain"'],
  }).action(run(async (context, paging) => await list(context, view, domains.list, {}, paging)))

  about(group.command('get <id>').description(domains.get.summary), {
    does: 'reads',
    examples: ['domains get dom_123'],
  }).action(run(async (context, id) => await showItem(context, view, domains.get, { id })))

  about(
    group
      .command('create')
      .argument('<domain>', 'a host name, such as reader.example.org')
      .description(domains.create.summary),
    {
      does: 'adds',
      examples: ['domains create reader.example.org --description "our shop"'],
    },
  )
    .option('--description <text>', 'what the domain is for')
    .action(
      run(async (context, domain, { description }) => {
        const reply = await changeItem(context, view, domains.create, { domain, description })
        if (!reply) return
        await context.note(`Reader instances may now be embedded on ${reply.value.item?.domain ?? domain}.`)
      }),
    )

  about(group.command('update <id>').description(domains.update.summary), {
    does: 'changes',
    examples: ['domains update dom_123 --description "our new shop"'],
  })
    .requiredOption('--description <text>', 'what the domain is for')
    .action(
      run(
        async (context, id, { description }) =>
          await changeItem(context, view, domains.update, { id, description }),
      ),
    )

  about(group.command('delete <id...>').description(domains.delete.summary), {
    does: 'deletes',
    examples: ['domains delete dom_123 --yes'],
  }).action(
    run(async (context, ids) => {
      const domainOf = async (id: string) => (await context.call(domains.get, { id })).value.item?.domain
      await deleteEach(context, ids, { noun: 'domain', endpoint: domains.delete, view, nameOf: domainOf })
    }),
  )
}
