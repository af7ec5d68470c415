import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file that a process waited for until it was on the disk. */
interface Flush {
  /** How it was opened, as for `openSync`. */
  readonly flags: string
  /** The system's code of what went wrong, if it did. */
  readonly error?: string
}

/**
 * Has a process tell which files it flushed, by a module that it is to require first. `named` gives the path of a file as that
 * process finds it.
 */
export function tellingFlushes(folder: string, named: (path: string) => string = path => path) {
  const [module, told] = [join(folder, 'flushes.cjs'), join(folder, 'flushes.json')]
  writeFileSync(
    module,
    `const fs = require('node:fs')
const { openSync, fsyncSync } = fs
const [opened, flushes] = [new Map(), []]
fs.openSync = (path, flags = 'r', ...more) => {
  const file = openSync(path, flags, ...more)
  opened.set(file, String(flags))
  return file
}
fs.fsyncSync = file => {
  const flush = { flags: opened.get(file) }
  flushes.push(flush)
  try {
    fsyncSync(file)
  } catch (error) {
    flush.error = error.code
    throw error
  }
}
process.on('exit', () => fs.writeFileSync(${JSON.stringify(named(told))}, JSON.stringify(flushes)))
`,
  )
  return { module, flushes: (): Flush[] => JSON.parse(readFileSync(told, 'utf8')) }
}
