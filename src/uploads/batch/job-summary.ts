import type { Context } from '../../cli/context.ts'
import { type Html, html } from '../../pages/html.ts'
import { asCode, type JobSummary, jobSummary, summaryLimit } from '../../pages/job-summary.ts'
import { shardText } from '../../plan/shard.ts'
import { appendFile } from '../../system/append-file.ts'
import { checkersSentence } from '../../system/checked-by.ts'
import { type Failure, UsageFailure } from '../../system/errors.ts'
import { checkWritable, sizeOf } from '../../system/write-file.ts'
import { isFailed, type Receipt, receiptName, tallyOf } from '../receipt.ts'
import type { Batch } from './options.ts'

/**
 * The file of the job summary if `--summary` is given. Throws UsageFailure `no_summary` where there is none, and
 * `file_unwritable` if it cannot be written.
 */
export function summaryFile(
  { world }: Pick<Context, 'world'>,
  isWanted: true | undefined,
): string | undefined {
  if (!isWanted) return undefined
  const path = world.env['GITHUB_STEP_SUMMARY']
  if (!path) {
    throw new UsageFailure('--summary is for jobs of GitHub Actions, and GITHUB_STEP_SUMMARY is not set', {
      code: 'no_summary',
      hint: 'Write a file with --report elsewhere.',
    })
  }
  checkWritable(path)
  return path
}

type Place = Pick<Context, 'err' | 'warn'>

/** Adds what became of the files of an upload to the job summary, failures first. */
export async function summariseReceipts(
  context: Place,
  path: string,
  receipts: readonly Receipt[],
  { part, plan }: Pick<Batch, 'part' | 'plan'>,
): Promise<void> {
  const rows = [...receipts.filter(isFailed), ...receipts.filter(each => !isFailed(each))]
  const of = part ? `Shard ${shardText(part.shard)}: ${receipts.length} of ${part.keys.length}. ` : ''
  await add(context, path, {
    title: plan ? 'The plan was carried out' : 'Upload',
    lead: [`${of}${tallyOf(receipts)}.`, ...checkersSentence(receipts), ...(plan?.remarks ?? [])],
    columns: ['Book', 'Outcome', 'Publication', 'Remarks'],
    count: rows.length,
    rows: (function* () {
      for (const receipt of rows) {
        const { outcome, publicationId, error, why, warnings } = receipt
        const remarks = [error?.message ?? why ?? '', ...warnings.map(({ message }) => message)]
        const said = remarks.filter(Boolean).join('; ')
        const shown = isFailed(receipt) ? html`<b>${outcome}</b>` : outcome
        yield [receiptName(receipt), shown, publicationId, said].map(cellIn(context))
      }
    })(),
  })
}

/** A step of a plan or of a dry run, as far as a summary shows it. */
interface ShownStep {
  readonly action?: string
  readonly key?: string | null
  readonly title?: string | null
  readonly file?: string | null
  readonly why?: string | null
}

/** Adds the steps of a plan or of a dry run to the job summary. */
export async function summariseSteps(
  context: Place,
  path: string,
  {
    title,
    lead,
    steps,
    count,
  }: Pick<JobSummary, 'title' | 'lead' | 'count'> & { steps: Iterable<ShownStep> },
): Promise<void> {
  await add(context, path, {
    ...{ title, lead, count },
    columns: ['Step', 'Title', 'Key', 'File', 'Why'],
    rows: (function* () {
      for (const { action = '', key, title, file, why } of steps)
        yield [html`<b>${action}</b>`, title, key, file, why].map(cellIn(context))
    })(),
  })
}

/** Adds what a dry run has found to the job summary: what is wrong with files, and the steps of the others. */
export async function summariseDryRun(
  context: Pick<Context, 'err' | 'warn' | 'steps'>,
  path: string,
  failures: readonly { readonly id: string; readonly failure: Failure }[],
): Promise<void> {
  const failed = failures.map(({ id, failure }) => ({ action: 'failed', file: id, why: failure.message }))
  const steps = [...failed, ...(context.steps as readonly ShownStep[])]
  await summariseSteps(context, path, {
    title: 'What would be done',
    lead: [tallyOfSteps(steps), 'This was a dry run: nothing was changed.'],
    ...{ steps, count: steps.length },
  })
}

function tallyOfSteps(steps: readonly ShownStep[]): string {
  const counts = new Map<string, number>()
  for (const { action = '' } of steps) counts.set(action, (counts.get(action) ?? 0) + 1)
  return counts.size === 0
    ? 'There is nothing to do.'
    : `${[...counts].map(([action, count]) => `${count} ${action}`).join(', ')}.`
}

/** A text from outside in a cell; what is HTML already is our own. */
const cellIn =
  ({ err }: Place) =>
  (cell: string | Html | null | undefined): string | Html =>
    typeof cell === 'string' ? asCode(err.hide(cell)) : (cell ?? '')

async function add(context: Place, path: string, summary: JobSummary): Promise<void> {
  const text = jobSummary(summary, summaryLimit - sizeOf(path))
  if (text !== undefined) return appendFile(path, text)
  await context.warn({
    code: 'summary_full',
    message: 'the job summary has no room left, so nothing was added to it',
    hint: 'GitHub shows 1 MiB for each step: write other summaries in other steps.',
  })
}
