import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { regularFileAt, unwritable } from './write-file.ts'

/** Adds to a file, which is created if it does not exist. A symbolic link is refused. Throws UsageFailure `file_unwritable`. */
export function appendFile(path: string, content: string): void {
  try {
    regularFileAt(path)
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants
    const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o666)
    try {
      writeFileSync(file, content)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw unwritable(path, error)
  }
}
