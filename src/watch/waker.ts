import { type FSWatcher, watch } from 'node:fs'
import type { Clock } from '../system/world.ts'

/** Waits between scans, and is woken earlier by the system where something changes in the folder. */
export interface Waker {
  /** Resolves after so many milliseconds, or earlier; throws the signal's reason. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Ends the wait that is going on, or the next one. */
  wake(): void
  close(): void
}

/** After a change is told, others are waited for so long, in milliseconds: a program that writes changes a file many times. */
const gathered = 100

/** `isLocal`: the system tells of changes. It may tell too much or nothing, so what a scan finds is what counts. */
export function openWaker(
  folder: string,
  { isLocal, recursive }: { isLocal: boolean; recursive: boolean },
  clock: Clock,
): Waker {
  let isWoken = false
  let wakeUp = () => {}
  const wake = () => {
    isWoken = true
    wakeUp()
  }
  const watcher = isLocal ? watching(folder, recursive, wake) : undefined
  return {
    wake,
    async wait(milliseconds, signal) {
      signal.throwIfAborted()
      if (!isWoken) {
        const stop = new AbortController()
        wakeUp = () => stop.abort()
        const either = AbortSignal.any([stop.signal, signal])
        await clock.sleep(milliseconds, either).catch(() => undefined)
        wakeUp = () => {}
        signal.throwIfAborted()
      }
      if (isWoken) await clock.sleep(Math.min(gathered, milliseconds), signal)
      isWoken = false
    },
    close: () => watcher?.close(),
  }
}

/** The system may have no more watches to give, or not know how to watch folders within: then only scans find files. */
function watching(folder: string, recursive: boolean, wake: () => void): FSWatcher | undefined {
  try {
    const isDeep = recursive && process.platform !== 'linux'
    const watcher = watch(folder, { recursive: isDeep, persistent: false }, (_, name) => {
      // The lock of the watcher itself is such a file.
      if (!name?.startsWith('.')) wake()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
