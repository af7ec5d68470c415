import { basename } from 'node:path'
import type { Context } from '../../cli/context.ts'
import type { WantedFile } from '../../plan/wanted.ts'
import { Failure } from '../../system/errors.ts'
import type { FileOptions } from '../file-options.ts'
import { openedChecks } from '../opened-checks.ts'
import { checkOf, noTitle, noTitleInBatch, type Prepared, prepareUpload } from '../prepare.ts'
import { type Hash, readHere } from '../reading/reading.ts'
import { warnOfOutdated } from '../tell-checkers.ts'

/** Reads a file and determines what is to be sent; the user is asked for a missing title, except in a batch. */
export const prepareOne = async (
  context: Context,
  { file, overrides }: WantedFile,
  options: FileOptions,
  { isInBatch = false, hash }: { readonly isInBatch?: boolean; readonly hash?: Hash } = {},
): Promise<Prepared> => {
  const checks = await openedChecks(context, options)
  try {
    return await prepareUpload(file, overrides, {
      ...{ read: readHere, mayRead: context.world.mayRead, hash, ...checkOf(options), ...checks },
      askTitle: isInBatch ? noTitleInBatch : path => askForTitle(context, path),
      onWarning: warning => void context.warn(warning),
    })
  } catch (error) {
    if (error instanceof Failure) await warnOfOutdated(context, [error])
    throw error
  }
}

/** Asks the user for a book's title. Throws UsageFailure `no_title` if nobody can be asked. */
async function askForTitle({ ask }: Context, path: string): Promise<string> {
  if (!ask.isPossible) throw noTitle(path, 'Pass --title.')
  return (await ask.text(`${basename(path)} has no title. What is it called?`, '--title')).trim()
}
