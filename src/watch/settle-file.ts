import { basename, join } from 'node:path'
import { neutraliseJson } from '../cli/output/neutralise.ts'
import { textOfFile, writeCompleteFile } from '../system/complete-file.ts'
import { existsAt, fittingName, namesLike } from '../system/free-names.ts'
import { type Moved, moveFile } from '../system/move-file.ts'
import { isSameFile, type Seen, stampOf } from './folder/scan.ts'
import { destination, type Folders } from './folders.ts'

/** A file that is settled: what is to be done with it, and what is written beside it. */
export interface Settled {
  readonly seen: Seen
  readonly to: 'done' | 'failed'
  /** The content that the receipt is about. */
  readonly sha256: string | null
  readonly receipt: object
}

/** Where a file is now. */
interface Place {
  readonly to: string
  readonly receipt: string
}

/**
 * Writes the receipt of a file and moves the file beside it, under a name that is free for both. The receipt is written
 * first, so that no file stands there without one; a process that was killed in between has left it for the next one.
 * Returns `changed` if the file is no longer the one that was settled. Throws the system's error.
 */
export async function settleFile(
  { seen, to, sha256, receipt }: Settled,
  folders: Folders,
  hash: (path: string) => Promise<string>,
): Promise<Place | 'changed'> {
  const folder = destination(folders, to, seen.below)
  const isExpected = async (path: string) => {
    const now = await stampOf(path)
    return now !== undefined && isSameFile(now, seen.stamp)
  }
  if (!(await isExpected(seen.path))) return 'changed'
  for (const name of namesLike(seen.name)) {
    const path = join(folder, receiptFileName(name))
    const place = join(folder, name)
    if (existsAt(place) && !(await isExpected(place))) {
      const isFile = (await stampOf(place)) !== undefined
      const isCopy = isFile && sha256 !== null && isReceiptOf(path, sha256) && (await hash(place)) === sha256
      if (!isCopy) continue
    }
    destination(folders, to, seen.below)
    const isWritten = writeCompleteFile(path, `${neutraliseJson(JSON.stringify(receipt, null, 2))}\n`)
    if (!isWritten && !isReceiptOf(path, sha256)) continue
    const moved: Moved | 'taken' = await moveFile(seen.path, place, { isExpected, hash })
    if (moved === 'moved') return { to: place, receipt: path }
    if (moved === 'changed') return 'changed'
  }
  throw Object.assign(new Error('every name like it is taken'), { code: 'EEXIST', syscall: 'link' })
}

/** Moves a small file without a receipt, such as a trigger; one that is gone is left. */
export async function moveBeside(path: string, folder: string): Promise<void> {
  const stamp = await stampOf(path)
  if (stamp === undefined) return
  const isExpected = async (place: string) => {
    const now = await stampOf(place)
    return now !== undefined && isSameFile(now, stamp)
  }
  const hash = async (place: string) => textOfFile(place, mostOfTrigger) ?? ''
  for (const name of namesLike(basename(path)))
    if ((await moveFile(path, join(folder, name), { isExpected, hash })) !== 'taken') return
}

/** The most bytes of a trigger that is copied to another disk. */
const mostOfTrigger = 1024 * 1024

/** The most bytes of a receipt; that of a sheet has all its rows. */
const mostOfReceipt = 256 * 1024 * 1024

/** A receipt beside a file; undefined if there is none that can be read. */
export function readReceipt(path: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(textOfFile(path, mostOfReceipt) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** The name of the receipt of a file. */
export const receiptFileName = (name: string): string => `${fittingName(name, 240)}.receipt.json`

/** Whether a receipt is about this content. */
const isReceiptOf = (path: string, sha256: string | null): boolean =>
  sha256 !== null && readReceipt(path)?.['sha256'] === sha256
