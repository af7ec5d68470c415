import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import type { Ask } from '../../cli/output/ask.ts'
import type { BatchProgress } from '../../cli/output/batch-progress.ts'
import { metadataKeys } from '../../service/contract/metadata-keys.ts'
import { makeFolder } from '../../system/make-folder.ts'
import { sha256 } from '../../system/sha256.ts'
import { writeNewFile } from '../../system/write-file.ts'
import { contentKey, contentKeyOf, withoutContentKey } from '../lookup/metadata-keys.ts'
import { callerTarget } from './caller.ts'

/**
 * Offers to create the metadata key that records content at the service, where there is none. Who declines is not asked again for
 * this organisation at this service.
 */
export async function offerContentKey(context: Context): Promise<void> {
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
export function mayRepeatOf(ask: Ask, files: number, progress: BatchProgress) {
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
