import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import { forEach } from '../../cli/for-each.ts'
import { listing, warnOfCut } from '../../cli/listing.ts'
import { batchOptions } from '../options/book-options.ts'
import { journalView } from './journal-view.ts'

/** The commands on the journal of uploads. */
export function registerJournal(group: Command, run: Run): void {
  about(listing(group.command('list').description('List unfinished uploads')), {
    does: 'reads',
    examples: ['uploads list', 'uploads list --finished --json'],
    isLocal: true,
  })
    .option('--finished', 'include finished uploads')
    .action(
      run(async (context, { finished, limit, all }) => {
        await context.check(journalView)
        const { readJournal } = await import('../batch/journal.ts')
        const { readableUploads, shownUpload } = await import('./unfinished.ts')
        const journal = await readJournal(context)
        try {
          const uploads = [...journal.list({ all: finished === true }), ...journal.queue.list({})]
          const entries = (await readableUploads(context, uploads)).map(shownUpload).reverse()
          const most = all || limit === undefined ? entries.length : limit
          await context.list(journalView, [entries.slice(0, most)])
          if (entries.length > most) await warnOfCut(context, most, 'latest')
        } finally {
          journal.close()
        }
      }),
    )

  about(
    batchOptions(
      group
        .command('resume')
        .argument('[id...]', 'the ids that "uploads list" shows (default: all)')
        .description('Resume unfinished uploads'),
    ),
    {
      does: 'adds',
      writesTo: ['--report'],
      examples: ['uploads resume', 'uploads resume 4b6aa668-6336-4631-b0cc-77d59186b759 --no-wait'],
      waits: true,
    },
  )
    .option('--no-wait', 'do not wait until the service has processed the files')
    .action(
      run(async (context, ids, options) => {
        const { resume } = await import('./resume.ts')
        await resume(context, ids, options)
      }),
    )

  about(
    group
      .command('forget')
      .argument('<id...>', 'the ids that "uploads list" shows')
      .description('Remove uploads from the journal; nothing changes on the service'),
    {
      does: 'deletes',
      examples: ['uploads forget 4b6aa668-6336-4631-b0cc-77d59186b759'],
      isLocal: true,
      asks: false,
    },
  ).action(
    run(async (context, ids) => {
      await context.check(journalView)
      const { openJournalToRemove } = await import('../batch/journal.ts')
      const { namedUploads, shownUpload } = await import('./unfinished.ts')
      const journal = await openJournalToRemove(context)
      try {
        await forEach(context, journalView, ids, async id => {
          if (journal.hasForeign(id)) {
            if (!context.options.dryRun) journal.forget(id)
            return { uploadRequestId: id }
          }
          const { entries, queued } = namedUploads(context, journal, [id])
          if (!context.options.dryRun) journal.forget(id)
          return [...entries, ...queued].map(shownUpload)[0]
        })
      } finally {
        journal.close()
      }
    }),
  )
}
