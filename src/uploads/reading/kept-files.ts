import type { Cover } from './cover.ts'
import type { Reading } from './reading.ts'

/** What was read of a book and is to be sent. */
export interface KeptFiles {
  readonly cover?: Cover | undefined
  /** The book itself, if it is small, and its SHA-256. */
  readonly book?: { readonly content: Uint8Array; readonly sha256: string } | undefined
}

/** The files that were read with their books, by upload request id, until they are sent. */
export interface FileStore {
  /** Keeps those for which there is room. The others are read again when they are sent. */
  keep(uploadRequestId: string, files: KeptFiles): void
  get(uploadRequestId: string): KeptFiles
  drop(uploadRequestId: string): void
  /** Resolves when there is room for another small book. */
  room(): Promise<void> | undefined
}

/** Limits the memory: hundreds of books can be in progress, and a cover can have 64 MiB. */
const mostBytes = 16 * 1024 * 1024

const nothing: KeptFiles = {}

/** What is kept of a book that was read. */
export const bookIn = ({ content, sha256 }: Pick<Reading, 'content' | 'sha256'>): KeptFiles['book'] =>
  content === undefined || sha256 === null ? undefined : { content, sha256 }

export function openFileStore(most = mostBytes): FileStore {
  const kept = new Map<string, KeptFiles>()
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
    get: uploadRequestId => kept.get(uploadRequestId) ?? nothing,
    drop(uploadRequestId) {
      const { cover, book } = kept.get(uploadRequestId) ?? nothing
      if (!kept.delete(uploadRequestId)) return
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
