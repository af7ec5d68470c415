import * as fs from 'node:fs'
import { promisify } from 'node:util'

// Node's functions on files as promises. Its own `fs/promises` takes longer to load than many a command has to run.

export const close = promisify(fs.close)
export const fstat = promisify(fs.fstat)
export const open = promisify(fs.open)
/** Gives the `bytesRead`. */
export const read = promisify(fs.read<Buffer>)
export const readdir = promisify(fs.readdir)
export const readFile = promisify(fs.readFile)
export const rename = promisify(fs.rename)
export const stat = promisify(fs.stat)
