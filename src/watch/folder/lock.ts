import { join } from 'node:path'
import { exitCodes, Failure } from '../../system/errors.ts'
import { type LockFile, type LockHolder, takeLock } from '../../system/lock-file.ts'
import type { Clock } from '../../system/world.ts'
import { unwritable } from '../../system/write-file.ts'

/** A folder that this process works on alone. */
export interface FolderLock extends Pick<LockFile, 'left' | 'release'> {
  /**
   * Says that this process is still there. Throws `folder_taken` if another one has taken the folder over. Where that cannot be
   * written, since the folder is away or its disk is full, it is said with the next look.
   */
  renew(): void
}

const lockName = '.pubctl-watch.lock'

/** Takes a folder for this process. Throws `folder_taken` if another process has it, and says which. */
export async function lockFolder(folder: string, clock: Clock): Promise<FolderLock> {
  const path = join(folder, lockName)
  const lock = await takeLock(path, clock, {
    name: 'the lock of a watcher',
    life: 60_000,
    expires: false,
  }).catch(error => {
    throw error instanceof Failure ? error : unwritable(path, error)
  })
  if ('by' in lock) throw takenBy(folder, lock.by)
  return {
    left: lock.left,
    release: lock.release,
    renew() {
      const lost = renewed(lock)
      if (lost) throw takenBy(folder, lost.by)
    },
  }
}

function renewed(lock: LockFile): ReturnType<LockFile['renew']> {
  try {
    return lock.renew()
  } catch (error) {
    if (error instanceof Failure || (error as NodeJS.ErrnoException).syscall === undefined) throw error
    return undefined
  }
}

const takenBy = (folder: string, held: LockHolder | undefined): Failure =>
  new Failure(
    held === undefined
      ? `another pubctl watches ${folder}; its lock ${lockName} cannot be read`
      : `another pubctl watches ${folder}: process ${held.pid} of ${held.user} on ${held.host}, since ${held.since}`,
    {
      code: 'folder_taken',
      exitCode: exitCodes.refused,
      hint: 'One watcher a folder: stop that one, or watch another folder.',
    },
  )
