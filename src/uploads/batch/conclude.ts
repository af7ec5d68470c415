import { dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import { shardText } from '../../plan/shard.ts'
import { exitCodes, Failure, Interrupted } from '../../system/errors.ts'
import { shellWord } from '../../system/shell-word.ts'
import { version } from '../../system/version.ts'
import type { BatchOutcome } from '../batch.ts'
import { writeFailed } from '../inputs/failed-list.ts'
import {
  emptyReceipt,
  errorOf,
  notBegun,
  type Receipt,
  type Result,
  receiptName,
  sumOf,
  tallyOf,
} from '../receipt.ts'
import { writeReport } from '../report/index.ts'
import { printable } from '../report/text.ts'
import { tellCheckers, warnOfOutdated } from '../tell-checkers.ts'
import { callerTarget } from './caller.ts'
import { guardOf } from './guard.ts'
import { summariseReceipts } from './job-summary.ts'
import { type Batch, type BatchRow, isMany, type RunOptions } from './options.ts'
import { viewOf } from './receipt-view.ts'
import { showReceipt, showReceipts, withoutSecrets } from './show-receipts.ts'

/** Shows the receipts, writes the report, and throws what sets the exit code. */
export async function conclude(
  context: Context,
  options: RunOptions,
  batch: Batch,
  { results, fatal }: BatchOutcome,
): Promise<void> {
  const { rows, isList, again, plan } = batch
  const many = isMany(batch)
  const view = viewOf(batch)
  const begun = results.filter(result => result !== undefined)
  const receipts = begun.map(({ receipt }) => receipt)
  const [first] = receipts
  const all = rows.map((row, index) => results[index]?.receipt ?? unbegun(row))
  const failures = begun.filter(
    (result): result is Result & { failure: Failure } => result.failure !== undefined,
  )
  // Written before anything is shown, since whoever stops reading must not lose them.
  const unwritten =
    options.report === undefined ? undefined : await attempt(reportOf(context, options.report, batch, all))
  const unsummarised =
    options.summary === undefined
      ? undefined
      : await attempt(summariseReceipts(context, options.summary, all, batch))
  const isTriedAgain = many && again && failures.length > 0 && !(fatal instanceof Interrupted)
  const tellFailed = isTriedAgain ? await keepFailed(context, options, batch, all) : undefined

  const isShown = isList && (await showReceipts(context, view, listedOf(context, all, rows)))
  if (!isList && first) await showReceipt(context, view, first)
  const isFailing = many && failures.length > 0 && fatal === undefined
  // The failure that ends the command has the same figures.
  if (many && !isFailing) await context.note(`${tallyOf(receipts)}.`)
  await (many ? tellCheckers : warnOfOutdated)(context, receipts)
  for (const remark of plan?.remarks ?? []) await context.note(remark)
  const resume = lineOf(context, plan?.continueWith ?? 'uploads resume')
  if (begun.length < rows.length && (many || !(fatal instanceof Interrupted))) {
    const what = `${rows.length - begun.length} of ${rows.length} were not begun.`
    // What ends an interrupted batch says how it goes on.
    await context.note(fatal instanceof Interrupted ? what : `${what} To begin them: ${resume}`)
  }
  if (many && !fatal && begun.some(({ failure }) => failure?.exitCode === exitCodes.waitExhausted))
    await context.note(`To go on waiting: ${resume}`)
  if (plan && !fatal && failures.some(({ failure }) => failure.code !== 'stale'))
    await context.note(`To try again what failed: ${resume}`)
  await tellFailed?.()
  if (!many && first?.outcome === 'skipped')
    await context.note(`${first.file} was skipped: ${withoutSecrets(context, first).why}.`)
  if (again && !options.skipExisting && receipts.some(({ outcome }) => outcome === 'skipped'))
    await context.note('To upload once more what was skipped: --again')

  if (fatal instanceof Interrupted) throw many || begun.some(isInJournal) ? resumable(fatal, resume) : fatal
  for (const each of [unwritten, unsummarised]) if (each && failures.length > 0) await context.warn(each)
  // The command to resume with names the profile.
  if (fatal?.code === 'unreachable') throw resumable(fatal, resume)
  if (fatal !== undefined && isTellingEnough(fatal)) throw fatal
  const [only] = failures
  if (only && !many) throw only.failure
  if (failures.length > 0) {
    const untold = isShown && context.err.isTerminal ? [] : failures
    throw partFailed(
      untold.map(({ receipt, failure }) => ({ id: receiptName(receipt), failure })),
      rows.length,
      sumOf(receipts, rows.length),
    )
  }
  const lost = unwritten ?? unsummarised
  if (lost !== undefined) throw lost
}

/** Writes the receipts. Those of a shard say which they are of the whole. */
async function reportOf(context: Context, path: string, { part, plan }: Batch, all: readonly Receipt[]) {
  const about = {
    ...{ now: context.world.clock.now(), version, command: context.command },
    ...{ target: await callerTarget(context), scopeId: context.scopeId() },
  }
  if (part === undefined) return await writeReport(path, all, guardOf(context), about)
  const { shard, keys } = part
  const receipts = all.map((receipt, index) => ({
    row: (part.rows[index] as number) + 1,
    shard: shardText(shard),
    ...receipt,
  }))
  const head = {
    ...{ pubctl: version, planId: plan?.planId ?? null, baseUrl: about.target },
    ...{ scopeId: about.scopeId, total: shard.total, shards: [shard.index] },
    ...{ ended: new Date(about.now).toISOString(), keys },
  }
  await writeReport(path, receipts, guardOf(context), { ...about, head })
}

/**
 * The receipts to list at the end. Files that were not begun are a number in a note at a terminal, and so are the records that
 * nothing is done about: a thousand of them would push what happened off the screen. Everywhere else each has its receipt.
 */
function listedOf(context: Context, all: readonly Receipt[], rows: readonly BatchRow[]): readonly Receipt[] {
  const { code } = notBegun()
  const isBegun = ({ error }: Receipt) => error?.code !== code
  if (isStreaming(context)) return all.filter(each => !isBegun(each))
  if (!context.out.isTerminal || context.format !== 'table') return all
  const isShown = (receipt: Receipt, index: number) =>
    isBegun(receipt) && (context.options.verbose === true || !rows[index]?.isQuiet)
  return all.filter(isShown)
}

/** A command to type next, for the same profile as this one. */
const lineOf = ({ options: { profile } }: Context, words: string): string =>
  `pubctl ${profile ? `--profile ${shellWord(profile)} ` : ''}${words}`

const isInJournal = ({ receipt }: Result): boolean => receipt.uploadRequestId !== null

const isTellingEnough = ({ exitCode, code }: Failure): boolean =>
  exitCode === exitCodes.notAuthenticated || exitCode === exitCodes.nobodyToAsk || /^journal_/.test(code)

const unbegun = ({ file, key }: BatchRow): Receipt => ({
  ...emptyReceipt(file),
  ...(key !== undefined && { key }),
  error: errorOf(notBegun()),
})

const resumable = (failure: Failure, resume: string): Failure =>
  new Failure(failure.message, {
    code: failure.code,
    exitCode: failure.exitCode,
    hint: `To continue where it stopped: ${resume}`,
  })

/** Writes failed.csv, a sheet for the next attempt, beside the report or into the current folder. Returns what tells of it. */
async function keepFailed(
  context: Context,
  options: RunOptions,
  { again: rows = [], part }: Batch,
  receipts: readonly Receipt[],
): Promise<(() => Promise<void>) | undefined> {
  const failed = rows.flatMap((row, index) => {
    const error = receipts[index]?.error
    // A file that was created twice has been uploaded.
    return error && error.code !== 'made_twice' ? [{ row, error: error.message }] : []
  })
  if (failed.length === 0) return undefined
  const flags = [
    options.skipExisting ? ' --skip-existing' : '',
    options.ifChanged ? ` --if-changed ${options.ifChanged}` : '',
    options.strict ? ' --strict' : '',
    ...(options.rules ?? []).map(name => ` --rules ${shellWord(name)}`),
    options.epubcheck ? ' --epubcheck' : '',
  ].join('')
  // Shards that run in one folder must not overwrite each other's.
  const name = part ? `failed-${part.shard.index}-of-${part.shard.total}.csv` : 'failed.csv'
  const path = join(options.report === undefined ? '.' : dirname(options.report), name)
  const guard = guardOf(context)
  const unwritten = await attempt(writeFailed(path, failed, error => printable(guard.hide(error), guard)))
  return unwritten
    ? () => context.warn(unwritten)
    : () =>
        context.note(
          `What failed is in ${path}; try it again with: ${lineOf(context, `publications upload --manifest ${shellWord(path)}${flags}`)}`,
        )
}

/** The failure of some work, returned so that it does not hide others. */
async function attempt(work: Promise<void>): Promise<Failure | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Whether each receipt is printed as its file ends. */
export const isStreaming = ({ format }: Context): boolean => format === 'ndjson'
