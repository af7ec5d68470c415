import type { Cover } from './cover.ts'

/** Covers that were read with their books, by upload request, until they are sent. */
export interface KeptCovers {
  /** Keeps a cover if there is room; one that is not kept is read from its book again. */
  keep(uploadRequestId: string, cover: Cover | undefined): void
  get(uploadRequestId: string): Cover | undefined
  drop(uploadRequestId: string): void
}

/** Hundreds of books may be under way at a time, and a cover may have 64 MiB, so that only so many bytes are kept. */
const mostBytes = 16 * 1024 * 1024

export function keptCovers(most = mostBytes): KeptCovers {
  const covers = new Map<string, Cover>()
  let bytes = 0
  return {
    keep(uploadRequestId, cover) {
      if (cover === undefined || bytes + cover.content.length > most) return
      covers.set(uploadRequestId, cover)
      bytes += cover.content.length
    },
    get: uploadRequestId => covers.get(uploadRequestId),
    drop(uploadRequestId) {
      bytes -= covers.get(uploadRequestId)?.content.length ?? 0
      covers.delete(uploadRequestId)
    },
  }
}
