import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Frees what is no longer used. The driver of SQLite leaves files open until its statements are collected, which V8 sees no
 * reason for, since they are small; a process that opens databases again and again would run out of files.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
