import { join } from 'node:path'

/** The programs that run as separate threads or processes. */
export type WorkerName =
  | 'hash-worker'
  | 'reading-worker'
  | 'pdf-process'
  | 'pdf-worker'
  | 'epubcheck-process'
  | 'epubcheck-worker'
  | 'keychain-worker'
  | 'yaml-worker'

/** The path of such a program in the bundle, also when a test runs this file from its source. */
export const workerPath = (name: WorkerName): string =>
  join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../dist' : '', `${name}.js`)
