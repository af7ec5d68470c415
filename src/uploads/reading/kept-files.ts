import type { Cover } from './cover.ts'
import type { Reading } from './reading.ts'

/** What was read of a book and is to be sent. */
export interface KeptFiles {
  readonly cover?: Cover | undefined
  /** The book itself, if it is small, and its SHA-256. */
  readonly book?: KeptBook | undefined
}

interface KeptBook extends Pick<Reading, 'giveBack'> {
  readonly content: Uint8Array
  readonly sha256: string
}

/** The files that were read with their books, by upload request id, until they are sent. */
export interface FileStore {
  /** Keeps those for which there is room. The others are read again when they are sent. */
  keep(uploadRequestId: string, files: KeptFiles): void
  /** Those that are kept, to be sent. Who sends them gives their memory back. */
  get(uploadRequestId: string): KeptFiles
  /** Keeps them no more. The memory of those that nobody has got is given back. */
  drop(uploadRequestId: string): void
  /** Resolves when there is room for another small book. */
  room(): Promise<void> | undefined
}

/** Limits the memory: hundreds of books can be in progress, and a cover can have 64 MiB. */
export const mostBytes = 16 * 1024 * 1024

const nothing: KeptFiles = {}

/** What is kept of a book that was read. */
export const bookIn = ({
  content,
  sha256,
  giveBack,
}: Pick<Reading, 'content' | 'sha256' | 'giveBack'>): KeptFiles['book'] =>
  content === undefined || sha256 === null ? undefined : { content, sha256, giveBack }

export function openFileStore(most = mostBytes): FileStore {
  const kept = new Map<string, KeptFiles>()
  /** Those of which somebody may still send something. */
  const got = new Set<string>()
  let bytes = 0
  let waiting: (() => void)[] = []
  const fits = (file: Uint8Array | undefined): boolean => file !== undefined && bytes + file.length <= most
  return {
    keep(uploadRequestId, { cover, book }) {
      if (kept.has(uploadRequestId)) return
      const files: { -readonly [K in keyof KeptFiles]: KeptFiles[K] } = {}
      if (fits(cover?.content)) {
        files.cover = cover
        bytes += cover?.content.length ?? 0
      }
      if (fits(book?.content)) {
        files.book = book
        bytes += book?.content.length ?? 0
      }
      kept.set(uploadRequestId, files)
    },
    get(uploadRequestId) {
      const files = kept.get(uploadRequestId)
      if (files) got.add(uploadRequestId)
      return files ?? nothing
    },
    drop(uploadRequestId) {
      const { cover, book } = kept.get(uploadRequestId) ?? nothing
      const wasGot = got.delete(uploadRequestId)
      if (!kept.delete(uploadRequestId)) return
      if (!wasGot) book?.giveBack?.()
      bytes -= (cover?.content.length ?? 0) + (book?.content.length ?? 0)
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
    room: () =>
      bytes <= most / 2
        ? undefined
        : new Promise(resolve => {
            waiting.push(resolve)
          }),
  }
}
