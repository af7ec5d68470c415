import type { IfChanged, WantedFile } from '../plan/wanted.ts'
import type { PublicationType } from '../service/contract/publication-type.ts'
import { ownPath } from '../system/own-path.ts'
import type { Queued } from './journal/queue.ts'

/** How a file is read, and whether it is sent at all. */
export interface FileOptions {
  readonly check: boolean
  readonly strict?: true | undefined
  /** The type that the user gives, where the name of the file says another. */
  readonly type?: PublicationType | undefined
  /** The packs and files of rules that books are checked by; files with their absolute paths. */
  readonly rules?: readonly string[] | undefined
  /** Whether EPUBCheck checks books as well. */
  readonly epubcheck?: boolean | undefined
  readonly skipExisting?: true | undefined
  readonly ifChanged?: IfChanged | undefined
  /** Whether files are uploaded even if they were uploaded before. */
  readonly again?: true | undefined
}

/** Whether the service is searched for what it has of each file. */
export const isLookedUp = ({ skipExisting, ifChanged }: FileOptions): boolean =>
  skipExisting === true || ifChanged !== undefined

/** What the queue stores of a file, so that it can be begun from any folder and without the command line. */
export const queuedRequest = (
  { file, overrides, from }: WantedFile,
  { check, strict, type, rules, epubcheck, skipExisting, ifChanged, again }: FileOptions,
): Pick<Queued, 'file' | 'request'> => ({
  file: ownPath(file),
  request: JSON.stringify({
    ...{ overrides, from, check, strict, type, rules, epubcheck, skipExisting, ifChanged, again },
  }),
})

export function readQueued({ file, request }: Pick<Queued, 'file' | 'request'>): {
  row: WantedFile
  options: FileOptions
} {
  const { overrides, from, ...options } = JSON.parse(request)
  return { row: { file, overrides, ...(from && { from }) }, options }
}
