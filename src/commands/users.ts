import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Run } from '../cli/context.ts'
import { list, listing } from '../cli/listing.ts'
import type { View } from '../cli/output/view.ts'
import { fieldsOf } from '../service/contract/fields.ts'
import { User } from '../service/contract/user.ts'
import { users } from '../service/contract/users.ts'
import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'

const view: View = {
  columns: [
    { field: 'id', isCutLast: true },
    { field: 'email' },
    { field: 'firstName' },
    { field: 'lastName' },
    { field: 'role' },
    { field: 'status' },
    { field: 'billing.planId', isDetail: true },
  ],
  fields: () => fieldsOf(User),
  empty: 'There are no such users.',
}

const outcomeView: View = {
  columns: [{ field: 'success' }, { field: 'error' }],
  fields: () => new Set(['success', 'error']),
}

export function register(group: Command, run: Run): void {
  about(listing(group.command('list').description(users.list.summary)), {
    does: 'reads',
    examples: ['users list', 'users list --search ada'],
  })
    .option('--search <text>', 'only those that match a text')
    .action(
      run(
        async (context, { search, ...paging }) =>
          await list(context, view, users.list, { searchTerm: search }, paging),
      ),
    )

  about(group.command('delete-me').description('Delete the user that the key belongs to'), {
    does: 'deletes',
    notForAgents: 'it takes access away from a person or a program',
    examples: ['users delete-me', 'users delete-me --yes'],
  }).action(
    run(async context => {
      await context.check(outcomeView)
      if (!context.options.yes && !context.options.dryRun) {
        const question =
          'This deletes your own user and its keys, and cannot be undone. To go on, type "delete me"'
        const typed = await context.ask.text(question, '--yes')
        if (typed.trim() !== 'delete me') {
          throw new UsageFailure('what you typed does not match, so nothing was deleted', {
            code: 'not_confirmed',
          })
        }
      }
      const reply = await context.change(users.deleteMe, {})
      if (!reply) return
      await context.item(outcomeView, reply.raw.result)
      const { result } = reply.value
      if (result?.success === false) {
        throw new Failure(`the user was not deleted: ${result.error ?? 'the service does not say why'}`, {
          code: 'not_deleted',
          exitCode: exitCodes.refused,
        })
      }
    }),
  )
}
