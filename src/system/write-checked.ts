import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { nameDraft } from './complete-file.ts'
import { draftIn, removeLeftDrafts } from './drafts.ts'
import { Failure } from './errors.ts'
import { isThereAlready } from './is-there-already.ts'
import { renameOver } from './rename-over.ts'
import { unwritable } from './write-file.ts'

interface CheckedOptions {
  /** Whether it may take the place of a file that is there. */
  readonly mayReplace: boolean
  /** Looks at the complete draft before it gets its name, and throws what keeps it from that. */
  readonly check: (draft: string) => Promise<void>
}

/**
 * Writes a file as its bytes arrive, with a draft in the same folder that gets the name once it is complete and checked; on
 * failure nothing of it stays. Throws UsageFailure `file_unwritable`.
 */
export async function writeChecked(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { mayReplace, check }: CheckedOptions,
): Promise<void> {
  const draft = draftIn(dirname(path))
  try {
    const file = openSync(draft, 'wx', 0o666)
    try {
      for await (const chunk of chunks) writeFileSync(file, chunk)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    await check(draft)
    if (mayReplace) renameOver(draft, path)
    else if (!nameDraft(draft, path)) throw isThereAlready(path)
    removeLeftDrafts(dirname(path))
  } catch (error) {
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined
    throw error instanceof Failure || !isOfSystem ? error : unwritable(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}
