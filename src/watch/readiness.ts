import { Failure, Interrupted } from '../system/errors.ts'
import type { MayRead } from '../system/may-read.ts'
import { isBeingWritten, type OpenFile, openFile } from '../system/open-file.ts'
import type { World } from '../system/world.ts'
import { sha256Of } from '../uploads/reading/hash.ts'
import { isQuiet } from './folder/quiet-period.ts'
import { isSameStamp, stampOf } from './folder/scan.ts'
import { type Item, seenOf } from './item.ts'
import type { WatchOptions } from './options.ts'

/** Whether a file can be sent: `why` says what it waits for, unless that is only the quiet period. */
export type Readiness =
  | { readonly is: 'ready'; readonly sha256: string }
  | { readonly is: 'settling' }
  | { readonly is: 'waiting'; readonly why: string; readonly isTrouble: boolean }

interface Looking extends Pick<World, 'mayRead' | 'signal'> {
  readonly now: () => number
  readonly options: Pick<WatchOptions, 'quietPeriod' | 'trigger'>
}

/** Looks whether a file is ready. What was found out about its content is kept in the item. */
export async function readinessOf(
  item: Item,
  { now, signal, mayRead, options }: Looking,
): Promise<Readiness> {
  const { path, stamp, trigger } = seenOf(item)
  if (!isQuiet(item.watched, now(), options.quietPeriod)) return { is: 'settling' }
  if (options.trigger && trigger === undefined)
    return waiting(`there is no ${options.trigger.namesFor(seenOf(item).name).join(' or ')}`, false)
  try {
    item.completeness ??= { why: await whyIncomplete(path, mayRead) }
    const { why } = item.completeness
    if (why !== undefined) return waiting(`it is not complete: ${why}`)
    if (item.sha256 === undefined) {
      const sha256 = await sha256Of(path, Number(stamp.bytes), { mayRead, signal })
      const after = await stampOf(path)
      // The next scan sees the change, and the quiet period begins again.
      if (after === undefined || !isSameStamp(after, stamp)) return { is: 'settling' }
      item.sha256 = sha256
    }
    return { is: 'ready', sha256: item.sha256 }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    item.completeness = undefined
    // Whoever took it away has it.
    if ((await stampOf(path)) === undefined) return { is: 'settling' }
    if (error instanceof Failure) return waiting(error.message)
    const { code, message } = error as NodeJS.ErrnoException
    return waiting(`it cannot be read: ${code ?? message}`)
  }
}

const waiting = (why: string, isTrouble = true): Readiness => ({ is: 'waiting', why, isTrouble })

/**
 * Why a file is not complete yet, as a clause; undefined if it is. A zip is complete if its directory ends where the file ends and
 * every entry begins where the directory says; a PDF if its trailer points into it. Whether it is a good book is for others
 * to say: a file of another kind counts as complete. Throws UsageFailure `file_unreadable`.
 */
export async function whyIncomplete(path: string, mayRead: MayRead): Promise<string | undefined> {
  if (await isBeingWritten(path)) return 'another program still has it open'
  const file = await openFile(path, mayRead)
  try {
    if (file.bytes === 0) return 'it is empty'
    const start = await at(file, 0, 1024)
    if (['PK\x03\x04', '%PDF-'].some(each => each.startsWith(start.toString('latin1'))))
      return 'it has only just been begun'
    if (start.subarray(0, 2).toString('latin1') === 'PK') return await whyIncompleteZip(file)
    if (start.includes('%PDF-')) return await whyIncompletePdf(file)
    // A program may have reserved the space of a file and not have written to it yet.
    return start.every(byte => byte === 0) ? 'it begins with zeros' : undefined
  } finally {
    await file.close()
  }
}

async function at(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, file.bytes - position)))
  let filled = 0
  while (filled < bytes.length) {
    const read = await file.read(bytes.subarray(filled), position + filled)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}

async function whyIncompletePdf(file: OpenFile): Promise<string | undefined> {
  // Readers accept a trailer within the last kilobyte; programs append a few bytes to it.
  const end = (await at(file, Math.max(0, file.bytes - 2048), 2048)).toString('latin1')
  if (!end.includes('%%EOF')) return 'the trailer of the PDF is missing'
  const [, offset] = /startxref\s+(\d+)\s+%%EOF(?!.*%%EOF)/s.exec(end) ?? []
  return offset !== undefined && Number(offset) >= file.bytes
    ? 'the PDF is shorter than its trailer says'
    : undefined
}

const signatures = {
  end: 0x06054b50,
  locator: 0x07064b50,
  end64: 0x06064b50,
  entry: 0x02014b50,
  local: 0x04034b50,
} as const

/** The end of a zip: 22 bytes and a comment, after 20 bytes where its sizes are in 64 bits. */
const longestEnd = 22 + 0xffff + 20

/** The directory of a book with 100,000 entries is smaller; of a larger one only the place is checked. */
const largestDirectory = 16 * 1024 * 1024

async function whyIncompleteZip(file: OpenFile): Promise<string | undefined> {
  const directory = await directoryOf(file)
  if (directory === undefined) return 'the directory at the end of the zip is missing'
  const { start, bytes, count } = directory
  if (start + bytes > file.bytes) return 'the zip is shorter than its directory says'
  if (bytes > largestDirectory) return undefined
  const content = await at(file, start, bytes)
  for (let number = 0, place = 0; number < count; number++) {
    if (place + 46 > content.length || content.readUInt32LE(place) !== signatures.entry)
      return 'the directory of the zip is not complete'
    const offset = content.readUInt32LE(place + 42)
    // An offset beyond 4 GiB stands elsewhere.
    if (offset !== 0xffffffff && !(await isLocalHeader(file, offset))) return 'a part of the zip is missing'
    const [name, extra, comment] = [28, 30, 32].map(each => content.readUInt16LE(place + each))
    place += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return undefined
}

async function isLocalHeader(file: OpenFile, offset: number): Promise<boolean> {
  const bytes = await at(file, offset, 4)
  return bytes.length === 4 && bytes.readUInt32LE(0) === signatures.local
}

/** Where the directory of a zip stands, by the record that ends exactly where the file ends. */
async function directoryOf(
  file: OpenFile,
): Promise<{ start: number; bytes: number; count: number } | undefined> {
  const from = Math.max(0, file.bytes - longestEnd)
  const tail = await at(file, from, longestEnd)
  for (let place = tail.length - 22; place >= 0; place--) {
    if (tail.readUInt32LE(place) !== signatures.end) continue
    if (place + 22 + tail.readUInt16LE(place + 20) !== tail.length) continue
    const locator = place - 20
    if (locator >= 0 && tail.readUInt32LE(locator) === signatures.locator) {
      const end = await at(file, Number(tail.readBigUInt64LE(locator + 8)), 56)
      if (end.length < 56 || end.readUInt32LE(0) !== signatures.end64) return undefined
      const [count, bytes, start] = [32, 40, 48].map(each => Number(end.readBigUInt64LE(each)))
      return { start: start ?? 0, bytes: bytes ?? 0, count: count ?? 0 }
    }
    return {
      start: tail.readUInt32LE(place + 16),
      bytes: tail.readUInt32LE(place + 12),
      count: tail.readUInt16LE(place + 10),
    }
  }
  return undefined
}
