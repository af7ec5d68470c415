import type { Database } from '../../system/database.ts'
import type { Clock } from '../../system/world.ts'
import type { Objects } from '../store/objects.ts'
import { findEdition, saveEdition } from '../store/publications.ts'
import { claim, dueToBeUploaded, markUploaded, nextDue, release } from './jobs.ts'

export interface Processing {
  /** There may be something to do. */
  wake(): void
  /** Waits for the files that are being examined; other jobs are left to another process or to the next start. */
  close(): Promise<void>
}

interface ProcessingOptions {
  db: Database
  clock: Clock
  objects: Objects
  /** Milliseconds that each state lasts at least. */
  delay: number
  /** Milliseconds until it looks for jobs that other processes have left. */
  lookAgainMs: number
}

/** How many files are examined at a time. */
const concurrency = 2
/** How long a file is left alone that could not be examined. */
const pauseMilliseconds = 1000

/**
 * Processes uploaded editions in the background, from one upload status to the next. Every process of a sandbox does
 * this; leases in the store ensure that each edition gets one outcome, even if a process is killed.
 */
export function startProcessing(options: ProcessingOptions): Processing {
  const { db, clock, lookAgainMs } = options
  const working = new Set<Promise<void>>()
  let isClosing = false
  let isAwake = false
  let endSleep = (): void => undefined

  function wake(): void {
    isAwake = true
    endSleep()
  }

  /** Sleeps until it is woken. Not by the clock's `sleep`, for which Node would load more: every sandbox would start 2 ms later. */
  async function sleep(milliseconds: number): Promise<void> {
    if (!isAwake) {
      await new Promise<void>(resolve => {
        const cancel = clock.after(milliseconds, resolve)
        endSleep = () => {
          cancel()
          resolve()
        }
      })
    }
    isAwake = false
  }

  /** Does what is due; returns the milliseconds until there may be more. */
  function tick(): number {
    for (const id of dueToBeUploaded(db, clock.now())) setUploaded(options, id)
    while (working.size < concurrency) {
      const id = claim(db, clock.now())
      if (id === undefined) break
      // What reads books is seven files, and most starts of a sandbox are for no book.
      const work = import('./outcome.ts')
        .then(({ processEdition }) => processEdition(options, id))
        // The store is busy or the disk full: the job stays, and is tried again.
        .catch(() => clock.sleep(pauseMilliseconds).then(() => release(db, id)))
        .catch(() => {})
        .finally(() => {
          working.delete(work)
          wake()
        })
      working.add(work)
    }
    const due = nextDue(db, clock.now(), working.size < concurrency)
    return Math.min(Math.max(due - clock.now(), 0), lookAgainMs)
  }

  async function run(): Promise<void> {
    while (!isClosing) {
      let pause = lookAgainMs
      try {
        pause = tick()
      } catch {
        // The store is busy, or its folder is gone: look again later.
      }
      await sleep(pause)
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

function setUploaded({ db, clock, delay }: ProcessingOptions, id: string): void {
  db.write(() => {
    const found = findEdition(db, id)
    if (!found || !markUploaded(db, id, clock.now() + delay)) return
    saveEdition(db, found.publicationId, { ...found.edition, uploadStatus: 'uploaded' })
  })
}
