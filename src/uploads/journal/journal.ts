import type { Caller } from './caller.ts'
import type { Change, Entry, NewEntry } from './entry.ts'

/** What a database on this machine returns at once, and one that several machines share returns later. */
export type Awaitable<T> = T | Promise<T>

/** The same functions, which return at once. */
export type Local<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Awaitable<infer R> ? (...args: A) => R : T[K]
}

/** An upload to carry out, and its state in the journal. */
export interface Begun {
  readonly entry: Entry
  /** False if another process has claimed it. */
  readonly isClaimed: boolean
  /** Whether it was added now, so that nothing of it can have reached the service. */
  readonly isNew: boolean
  /** Whether the file has changed since it was begun. */
  readonly isChanged: boolean
  /** Whether an earlier run queued it and may have sent its request: only what is queued survives a power cut. */
  readonly mayBeSent?: boolean
}

/** What can be asked of a journal without changing it. */
export interface JournalReader {
  /** Whether another living process carries an upload out. */
  isTaken(uploadRequestId: string): Awaitable<boolean>
  get(uploadRequestId: string): Awaitable<Entry | undefined>
  /** The caller's uploads to a publication, latest first. */
  findPublication(caller: Caller, publicationId: string): Awaitable<Entry[]>
  /** The uploads to a service of which nothing is known to have reached it. */
  listPlanned(target: string): Awaitable<Entry[]>
}

/**
 * The persistent record of uploads and their stages, as far as carrying out a step needs it. The journal on this machine
 * knows more, such as the files of batches; the one of a queue is shared by its workers.
 */
export interface Journal extends JournalReader {
  /** The upload with the same id, or a new one. Two processes cannot both begin the same upload. */
  begin(entry: NewEntry): Awaitable<Begun>
  /** Throws if this process has no claim on it, or no longer. */
  change(uploadRequestId: string, change: Change): Awaitable<Entry>
  /**
   * The same for what the service says again to whoever asks, such as how far processing is: may be written a little later, with
   * the next change. Waits for nothing unless nothing of the upload was written here before.
   */
  changeSoon(uploadRequestId: string, change: Change, signal: AbortSignal): Promise<Entry>
  /**
   * The same for changes that must not be lost, such as the arrival of a file: waits up to a minute for a journal that
   * cannot be written at the moment. Throws `journal_busy` after that.
   */
  changeWhenFree(uploadRequestId: string, change: Change, signal: AbortSignal): Promise<Entry>
  /** Deletes an upload; false if there is none. */
  forget(uploadRequestId: string): Awaitable<boolean>
  /** Claims an upload for this process; false if any process has claimed it, this one included. */
  claim(uploadRequestId: string): Awaitable<boolean>
  release(uploadRequestId: string): Awaitable<void>
  /** Renews the claims of this process. */
  renew(): Awaitable<void>
  close(): Awaitable<void>
}
