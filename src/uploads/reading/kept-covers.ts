import type { Cover } from './cover.ts'

/** Covers that were read with their books, by upload request id, until they are sent. */
export interface KeptCovers {
  /** Keeps a cover if there is room. Otherwise it is read again when it is sent. */
  keep(uploadRequestId: string, cover: Cover | undefined): void
  get(uploadRequestId: string): Cover | undefined
  drop(uploadRequestId: string): void
}

/** Limits the memory for covers: hundreds of books can be in progress, and a cover can have 64 MiB. */
const mostBytes = 16 * 1024 * 1024

export function keptCovers(most = mostBytes): KeptCovers {
  const covers = new Map<string, Cover>()
  let bytes = 0
  return {
    keep(uploadRequestId, cover) {
      if (cover === undefined || covers.has(uploadRequestId) || bytes + cover.content.length > most) return
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
