import { dirname } from 'node:path'
import { backoff } from '../system/backoff.ts'
import { Failure, UsageFailure } from '../system/errors.ts'
import { type LockFile, takeLock } from '../system/lock-file.ts'
import { type Clock, systemClock } from '../system/world.ts'

/** How long to wait for the lock, in milliseconds. */
const lockTimeout = 10_000

/** Nobody takes half a minute to change the profiles, so a lock of that age was left. */
const options = { name: 'the lock of the profiles', life: 30_000, expires: true }

/** Throws UsageFailure when the lock was lost, which happens to a process that was suspended for too long. */
type Confirm = () => void

/**
 * Runs `work` while holding the lock at a path, whose folder must exist. `work` must call `confirm` right before it changes
 * anything. Throws UsageFailure `config_locked` after 10 seconds.
 */
export async function withLock<T>(
  path: string,
  work: (confirm: Confirm) => T | Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const lock = await waitForLock(path, clock)
  try {
    return await work(() => {
      if (!lock.isHeld()) throw locked(path, 'was lost to another process')
    })
  } finally {
    lock.release()
  }
}

async function waitForLock(path: string, clock: Clock): Promise<LockFile> {
  const end = clock.monotonic() + lockTimeout
  for (let attempt = 0; ; attempt++) {
    const lock = await takeLock(path, clock, options).catch(error => {
      throw error instanceof Failure ? error : unwritable(path, error)
    })
    if (!('by' in lock)) return lock
    if (clock.monotonic() >= end)
      throw locked(path, `is held by another process for more than ${lockTimeout / 1000} seconds`)
    await clock.sleep(backoff(attempt, { first: 5, most: 50 }) * (0.5 + Math.random()))
  }
}

const unwritable = (path: string, error: NodeJS.ErrnoException): UsageFailure =>
  new UsageFailure(`cannot write in ${dirname(path)}: ${error.code}`, {
    code: 'config_unwritable',
    cause: error,
  })

const locked = (path: string, trouble: string): UsageFailure =>
  new UsageFailure(`the lock ${path} ${trouble}`, {
    code: 'config_locked',
    hint: `Try again. If no other pubctl is running, delete ${path}.`,
  })
