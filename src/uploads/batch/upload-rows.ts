import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import type { Ask } from '../../cli/output/ask.ts'
import type { BatchProgress } from '../../cli/output/batch-progress.ts'
import type { WantedFile } from '../../plan/wanted.ts'
import { metadataKeys } from '../../service/contract/metadata-keys.ts'
import { makeFolder } from '../../system/make-folder.ts'
import { sha256 } from '../../system/sha256.ts'
import { writeNewFile } from '../../system/write-file.ts'
import { type FileOptions, isLookedUp } from '../file-options.ts'
import { contentKey, contentKeyOf, withoutContentKey } from '../lookup/metadata-keys.ts'
import type { Hash } from '../reading/reading.ts'
import { uploadTasks } from '../upload-files.ts'
import { callerTarget } from './caller.ts'
import { type Batch, isMany, type RunOptions } from './options.ts'
import { prepareOne } from './prepare-one.ts'
import { runTasks } from './run-tasks.ts'
import { showFiles } from './show-files.ts'

/** Uploads the files of a batch, each as a publication of its own, or the one file as an edition of a publication. */
export async function uploadRows(
  context: Context,
  batch: Omit<Batch, 'rows'> & { readonly rows: readonly WantedFile[] },
  options: RunOptions & FileOptions,
  editionOf: string | null,
): Promise<void> {
  const { rows } = batch
  if (context.options.dryRun) {
    const files = rows.map(row => ({ row, options, editionOf }))
    return await showFiles(context, files, { isInBatch: isMany(batch), summary: options.summary })
  }
  if (isLookedUp(options) && context.ask.isPossible) await offerContentKey(context)
  const hashIfSearched: Hash = async (_, compute) =>
    isLookedUp(options) ? await compute(context.world.signal) : null
  // A single file is prepared before anything is opened, so that its problems are the command's own failure.
  const [first] = rows
  const prepared =
    first && !isMany(batch) ? await prepareOne(context, first, options, { hash: hashIfSearched }) : undefined
  await runTasks(context, options, { ...batch, again: rows }, (transfer, progress) => {
    const isAsked = context.ask.isPossible && !isLookedUp(options)
    const mayRepeat = isAsked ? mayRepeatOf(context.ask, rows.length, progress) : undefined
    return uploadTasks({ rows, options, editionOf, prepared, mayRepeat }, transfer)
  })
}

/**
 * Offers to create the metadata key that records content at the service, where there is none. Who declines is not asked again for
 * this organisation at this service.
 */
async function offerContentKey(context: Context): Promise<void> {
  const { call, ask, note, directories, scopeId } = context
  const state = await contentKeyOf(call)
  const missing = withoutContentKey(state)
  if (missing === undefined) return
  const folder = join(directories.dataDir, 'declined')
  const organisation = [await callerTarget(context), scopeId()]
  const path = join(folder, `${contentKey}-${sha256(JSON.stringify(organisation))}`)
  if (existsSync(path)) return
  const [what, done] = state === 'none' ? ['Create it', 'created'] : ['Make it active again', 'active again']
  if (!(await ask.confirm(`${missing.message}. ${what}?`, '--no-input'))) return remember(path)
  if (typeof state === 'object') await call(metadataKeys.update, { id: state.archived, status: 'active' })
  else await call(metadataKeys.create, { key: contentKey })
  await note(`The metadata key "${contentKey}" is ${done}.`)
}

/** Where this cannot be written, the question is asked again. */
function remember(path: string): void {
  try {
    makeFolder(dirname(path))
    writeNewFile(path, '', { isPrivate: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

/**
 * Asks of each copy of what is there whether it is uploaded all the same: one question at a time, while other files of the
 * batch go on. The answer may be for all copies that follow.
 */
function mayRepeatOf(ask: Ask, files: number, progress: BatchProgress) {
  let forAll: boolean | undefined
  let last: Promise<unknown> = Promise.resolve()
  const askOne = async (file: string, why: string): Promise<boolean> => {
    const question = `${file} is a copy: ${why}. Upload it once more?`
    if (files === 1) return await ask.confirm(question, '--again')
    const answer = await ask.choose(question, '--again', [
      { value: 'no', name: 'No, skip it' },
      { value: 'none', name: 'No, skip every copy' },
      { value: 'yes', name: 'Yes, as another publication' },
      { value: 'all', name: 'Yes, and so every copy' },
    ])
    const isMore = answer === 'yes' || answer === 'all'
    if (answer === 'none' || answer === 'all') forAll = isMore
    return isMore
  }
  return (file: string, why: string): Promise<boolean> => {
    // Whoever interrupts one question is not asked another.
    const answer = last.then(() => forAll ?? progress.whileAsking(() => askOne(file, why)))
    last = answer
    return answer
  }
}
