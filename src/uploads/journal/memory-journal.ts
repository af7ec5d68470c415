import { randomUUID } from 'node:crypto'
import type { Clock } from '../../system/world.ts'
import { type Caller, ownershipOf } from './caller.ts'
import { type Entry, isSameContent, type NewEntry, untouched } from './entry.ts'
import type { Begun } from './journal.ts'
import type { LocalJournal } from './local-journal.ts'
import { isSame } from './local-reader.ts'
import type { Queued } from './queue.ts'
import { struckOut } from './taken-over.ts'

/** A journal in the memory of this process, for machines that cannot store one, and where none is wanted. */
export function openMemoryJournal(clock: Clock): LocalJournal {
  const uploads = new Map<string, Entry>()
  const queued = new Map<string, Queued>()
  /** A batch can name the same file twice. */
  const claims = new Set<string>()

  const scopeOf: LocalJournal['scopeOf'] = ({ target, keyDigest }) =>
    [...uploads.values()].find(
      each => each.target === target && each.keyDigest === keyDigest && each.scopeId !== null,
    )?.scopeId ?? null
  // Uploads with the same key have the same scope.
  const read = (entry: Entry): Entry => ({ ...entry, scopeId: entry.scopeId ?? scopeOf(entry) })
  const latestFirst = (fits: (entry: Entry) => boolean): Entry[] =>
    [...uploads.values()].filter(fits).map(read).reverse()
  const ofCaller = (caller: Caller, fits: (entry: Entry) => boolean): Entry[] =>
    latestFirst(fits).filter(each => ownershipOf(each, caller) !== 'foreign')
  const must = (uploadRequestId: string): Entry => {
    const entry = uploads.get(uploadRequestId)
    if (entry === undefined) throw struckOut(uploadRequestId)
    return entry
  }
  const take = (uploadRequestId: string): boolean => {
    if (claims.has(uploadRequestId)) return false
    claims.add(uploadRequestId)
    return true
  }
  const remove = (uploadRequestId: string): boolean => {
    claims.delete(uploadRequestId)
    return queued.delete(uploadRequestId)
  }
  const findSame: LocalJournal['findSame'] = (wanted, excluded) =>
    latestFirst(each => each.target === wanted.target && each.fingerprint === wanted.fingerprint).find(
      each => !excluded.has(each.uploadRequestId) && isSame(each, wanted),
    )
  const begin = (known: Entry | undefined, entry: NewEntry): Begun => {
    if (known === undefined) {
      const [{ uploadRequestId }, now] = [entry, clock.now()]
      const creation = { ...entry.creation, uploadRequestId }
      uploads.set(uploadRequestId, { ...entry, ...untouched, creation, startedAt: now, changedAt: now })
      return { entry: must(uploadRequestId), isClaimed: take(uploadRequestId), isNew: true, isChanged: false }
    }
    const { file, bytes, modified, sha256 } = entry
    const isChanged = !isSameContent(known, { bytes, modified, sha256 })
    const isClaimed = take(known.uploadRequestId)
    if (isClaimed && (isChanged || known.modified !== modified || known.file !== file))
      uploads.set(known.uploadRequestId, { ...must(known.uploadRequestId), file, bytes, modified, sha256 })
    return { entry: read(must(known.uploadRequestId)), isClaimed, isNew: false, isChanged }
  }
  const change: LocalJournal['change'] = (uploadRequestId, changes) => {
    const changed: Entry = { ...must(uploadRequestId), ...changes, changedAt: clock.now() }
    uploads.set(uploadRequestId, changed)
    return changed
  }

  return {
    isTaken: () => false,
    hasForeign: () => false,
    get: uploadRequestId => {
      const entry = uploads.get(uploadRequestId)
      return entry && read(entry)
    },
    findSame,
    findSent: (caller, { file, sha256 }) =>
      ofCaller(
        caller,
        each =>
          each.target === caller.target &&
          (each.file === file || (sha256 !== null && each.sha256 === sha256)) &&
          (each.stage === 'sent' || each.stage === 'finished'),
      ),
    hasSize: (target, bytes) =>
      [...uploads.values()].some(each => each.target === target && each.bytes === bytes),
    findPublication: (caller, publicationId) =>
      ofCaller(caller, each => each.target === caller.target && each.publicationId === publicationId),
    publicationsSince(caller, time) {
      const concerned = ofCaller(caller, each => each.target === caller.target && each.changedAt >= time)
      return [...new Set(concerned.flatMap(({ publicationId }) => publicationId ?? []))]
    },
    scopeOf,
    hasOtherKeys: ({ target, keyDigest }) =>
      [...uploads.values(), ...queued.values()].some(
        each => each.target === target && each.keyDigest !== keyDigest,
      ),
    knownHash: (file, bytes, modified) =>
      latestFirst(
        each =>
          each.file === file && each.bytes === bytes && each.modified === modified && each.sha256 !== null,
      )[0]?.sha256 ?? null,
    listPlanned: target => latestFirst(each => each.stage === 'planned' && each.target === target).reverse(),
    list: ({ all, target }) =>
      latestFirst(
        each => (all || each.stage !== 'finished') && (target === undefined || each.target === target),
      ).reverse(),
    queue: {
      add: (caller, rows) =>
        rows.map(row => {
          const [uploadRequestId, queuedAt] = [randomUUID(), clock.now()]
          queued.set(uploadRequestId, { ...caller, ...row, uploadRequestId, queuedAt })
          take(uploadRequestId)
          return { uploadRequestId, queuedAt }
        }),
      list: ({ target }) =>
        [...queued.values()].filter(each => target === undefined || each.target === target),
      remove,
    },
    claim: take,
    release: uploadRequestId => void claims.delete(uploadRequestId),
    begin: entry => begin(uploads.get(entry.uploadRequestId), entry),
    beginSame(entry, { queued: inQueue, excluded }) {
      const known = findSame(entry, excluded)
      const wasQueued = inQueue !== undefined && remove(inQueue)
      return begin(known, wasQueued ? { ...entry, uploadRequestId: inQueue } : entry)
    },
    change,
    changeSoon: async (uploadRequestId, changes) => change(uploadRequestId, changes),
    changeWhenFree: async (uploadRequestId, changes) => change(uploadRequestId, changes),
    forget: uploadRequestId => uploads.delete(uploadRequestId) || remove(uploadRequestId),
    renew: () => undefined,
    // Where a process opens it again, it goes on with what is unfinished.
    close() {
      for (const { uploadRequestId, stage } of uploads.values())
        if (stage === 'finished') uploads.delete(uploadRequestId)
    },
  }
}
