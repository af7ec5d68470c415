import { join } from 'node:path'

/** The programs that run as threads or processes of their own. */
export type WorkerName = 'hash-worker' | 'reading-worker' | 'pdf-worker' | 'keychain-worker'

/** Where the build puts such a program: beside every other file. Run from its source by a test, this one is elsewhere. */
export const workerPath = (name: WorkerName): string =>
  join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../dist' : '', `${name}.js`)
