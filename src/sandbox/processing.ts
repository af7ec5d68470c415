import { terminalUploadStatuses } from '../contract/publication.ts'
import type { Clock } from '../world.ts'
import type { Database } from './database.ts'
import { type Examined, examine, publicationWithBook, withBook } from './examine.ts'
import { claim, finish, leaseMilliseconds, moveOn, nextDue, receivedBy, release, renew } from './jobs.ts'
import { findObject, newObjectKey, type Objects } from './objects.ts'
import {
  type EditionRecord,
  editionsOf,
  findEdition,
  publicationRow,
  saveEdition,
  savePublication,
} from './publication-store.ts'
import { type UploadRow, uploadOfEdition } from './upload-requests.ts'

export interface Processing {
  /** There may be something to do. */
  wake(): void
  /** Waits for what is being examined; the rest is left to another process or to the next start. */
  close(): Promise<void>
}

interface ProcessingOptions {
  db: Database
  clock: Clock
  objects: Objects
  /** Milliseconds that each state lasts at least. */
  delay: number
}

/** How many files are examined at a time. */
const concurrency = 2
/** How often to look for what other processes have left. */
const pollMilliseconds = 1000

/**
 * Carries uploaded editions through their states, in the background. Every process of a sandbox does this; the store
 * decides between them, so that each edition gets one outcome, and gets it though a process is killed.
 */
export function startProcessing(options: ProcessingOptions): Processing {
  const { db, clock } = options
  const working = new Set<Promise<void>>()
  let isClosing = false
  let isAwake = false
  let sleeper: AbortController | undefined

  function wake(): void {
    isAwake = true
    sleeper?.abort()
  }

  async function rest(milliseconds: number): Promise<void> {
    if (!isAwake) {
      sleeper = new AbortController()
      await clock.sleep(milliseconds, sleeper.signal).catch(() => {})
    }
    isAwake = false
  }

  /** Does what is due; returns the milliseconds until there may be more. */
  function tick(): number {
    for (const id of receivedBy(db, clock.now())) callUploaded(options, id)
    while (working.size < concurrency) {
      const id = claim(db, clock.now())
      if (id === undefined) break
      const work = decide(options, id)
        // The store is busy or the disk full: the job stays, and is tried again.
        .catch(() => clock.sleep(pollMilliseconds).then(() => release(db, id)))
        .catch(() => {})
        .finally(() => {
          working.delete(work)
          wake()
        })
      working.add(work)
    }
    const due = nextDue(db, clock.now(), working.size < concurrency)
    return Math.min(Math.max(due - clock.now(), 0), pollMilliseconds)
  }

  async function run(): Promise<void> {
    while (!isClosing) {
      let pause = pollMilliseconds
      try {
        pause = tick()
      } catch {
        // The store is busy, or its folder is gone: look again later.
      }
      await rest(pause)
    }
  }

  const running = run()
  return {
    wake,
    async close() {
      isClosing = true
      wake()
      await running
      await Promise.all(working)
    },
  }
}

/** Whether an edition has its outcome, which no move leaves. */
export const isTerminal = ({ uploadStatus }: EditionRecord): boolean =>
  (terminalUploadStatuses as readonly string[]).includes(uploadStatus)

function callUploaded({ db, clock, delay }: ProcessingOptions, id: string): void {
  db.write(() => {
    const found = findEdition(db, id)
    if (!found || !moveOn(db, id, clock.now() + delay)) return
    saveEdition(db, found.publicationId, { ...found.edition, uploadStatus: 'uploaded' })
  })
}

/** Examines a leased edition's file and gives the edition its terminal state. */
async function decide({ db, clock, objects }: ProcessingOptions, id: string): Promise<void> {
  const upload = uploadOfEdition(db, id)
  const object = upload && findObject(db, upload.object_key)
  if (!upload || !object?.file) return void finish(db, id)
  const prolonging = setInterval(() => {
    try {
      renew(db, id, clock.now())
    } catch {
      // The store is busy; there are more chances before the lease ends.
    }
  }, leaseMilliseconds / 4)
  try {
    const examined = await examine(objects.pathOf(object.file), upload.type)
    const cover = examined.uploadStatus === 'available' && examined.cover
    const coverFile = cover ? await objects.write(cover) : undefined
    const isDecided = db.write(() => {
      if (findObject(db, upload.object_key)?.file !== object.file) {
        // A file that was sent again meanwhile is examined instead.
        release(db, id)
        return false
      }
      const found = findEdition(db, id)
      if (!finish(db, id) || !found || isTerminal(found.edition)) return false
      settle(db, found, upload, examined, { bytes: object.bytes ?? 0, coverFile })
      return true
    })
    if (!isDecided && coverFile !== undefined) objects.discard([coverFile])
  } finally {
    clearInterval(prolonging)
  }
}

function settle(
  db: Database,
  { publicationId, edition }: { publicationId: string; edition: EditionRecord },
  upload: UploadRow,
  examined: Examined,
  { bytes, coverFile }: { bytes: number; coverFile: string | undefined },
): void {
  if (examined.uploadStatus !== 'available') {
    saveEdition(db, publicationId, { ...edition, uploadStatus: examined.uploadStatus })
    return
  }
  const { book } = examined
  const current = editionsOf(db, publicationId).find(({ isCurrentVersion }) => isCurrentVersion)
  // An older edition may be ready after a newer one.
  const isCurrentVersion = !current || edition.version >= current.version
  if (isCurrentVersion && current && current.id !== edition.id) {
    saveEdition(db, publicationId, { ...current, isCurrentVersion: false })
  }
  const file = { name: upload.filename, bytes, cover: coverOf(db, upload, coverFile) }
  saveEdition(db, publicationId, { ...withBook(edition, book, file), isCurrentVersion })
  savePublication(db, publicationWithBook(publicationRow(db, publicationId).record, book))
}

/** The key of the cover that was sent or, when none was, of the one in the book. */
function coverOf(
  db: Database,
  { cover_key, request_id }: UploadRow,
  coverFile: string | undefined,
): string | undefined {
  if (cover_key !== null && findObject(db, cover_key)?.file) return cover_key
  if (coverFile === undefined) return undefined
  const key = newObjectKey('covers')
  db.run(`INSERT INTO objects (key, kind, owner, file) VALUES (?, 'cover', ?, ?)`, key, request_id, coverFile)
  return key
}
