import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Frees the files of all databases that are closed. The driver keeps a file open after `close` until the statements that were
 * prepared on it are collected as garbage, and Windows deletes no folder with a file that is open. Takes some ten milliseconds.
 */
export async function freeDatabases(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // What was found to be garbage lets go of its files after the next turn of the event loop.
  for (let turn = 0; turn < 3; turn++) {
    collect()
    await setImmediate()
  }
}
