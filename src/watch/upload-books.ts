import { resolve } from 'node:path'
import type { Context } from '../cli/context.ts'
import { UsageFailure } from '../system/errors.ts'
import { openUploads } from '../uploads/batch/open-uploads.ts'
import { type BatchOutcome, runBatch } from '../uploads/batch.ts'
import type { Read } from '../uploads/reading/reading.ts'
import type { Result } from '../uploads/receipt.ts'
import type { TransferContext } from '../uploads/transfer-context.ts'
import { uploadTasks } from '../uploads/upload-files.ts'
import type { Stamp } from './folder/scan.ts'
import type { WatchOptions } from './options.ts'

/** A file that was read to its end. */
export interface ReadyFile {
  readonly path: string
  readonly stamp: Stamp
  readonly sha256: string
}

/** What happens while files are uploaded. */
export interface UploadHooks extends Pick<TransferContext, 'onStep' | 'onWarning'> {
  readonly onResult: (result: Result) => Promise<void>
}

/** Uploads files as `publications upload` does. Their content is that which was read. */
export async function uploadBooks(
  context: Context,
  files: readonly ReadyFile[],
  options: WatchOptions,
  { onStep, onWarning, onResult }: UploadHooks,
): Promise<BatchOutcome> {
  const { wait, concurrency, ifChanged = 'fail' } = options
  const opened = await openUploads(context, { wait, concurrency, files: files.length }, { onStep, onWarning })
  try {
    const transfer = { ...opened.transfer, read: readingOnly(files, opened.transfer.read) }
    const rows = files.map(({ path }) => ({ file: path, overrides: {} }))
    const tasks = uploadTasks(
      { rows, options: { ...fileOptions(options), ifChanged }, editionOf: null, prepared: undefined },
      transfer,
    )
    return await runBatch(tasks, {
      underWay: opened.underWay,
      stopOnError: false,
      halt: opened.halt,
      signal: context.world.signal,
      onResult,
    })
  } finally {
    await opened.close()
  }
}

/** What is stored of a file in the journal's queue. */
const fileOptions = ({ check, strict, rules, epubcheck }: WatchOptions) => ({
  ...{ check, strict, rules, epubcheck },
})

/** Reads files, and refuses those that are not as they were when they were found to be complete. */
function readingOnly(files: readonly ReadyFile[], read: Read): Read {
  const known = new Map(files.map(file => [file.path, file]))
  return async (path, mayRead, wantsCover, _, options) => {
    const reading = await read(path, mayRead, wantsCover, undefined, options)
    const file = known.get(resolve(path))
    if (file === undefined) return reading
    const { bytes, modified } = file.stamp
    const isSame = BigInt(reading.bytes) === bytes && Math.abs(reading.modified - Number(modified) / 1e6) < 1
    if (isSame) return { ...reading, sha256: file.sha256 }
    throw new UsageFailure(`${path} changed after it was found to be complete`, {
      code: 'file_changed',
      hint: 'It is tried again once nothing writes to it.',
    })
  }
}
