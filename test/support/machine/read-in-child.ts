import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Book } from '../../../src/books/index.ts'
import { bundleScript } from './child-script.ts'

export interface ChildReading {
  book?: Book
  coverBytes?: number
  /** The code of the failure that was thrown, or the stack of any other error. */
  failure?: string
  message?: string
  /** The most memory that the process or one of its own had, in MiB; absent where the system does not tell. */
  peak?: number
}

const program = `
import { readFileSync } from 'node:fs'
import { readBook, readCover } from './index.mjs'
const result = {}
const peaks = new Map()
const measure = () => {
  try {
    const { pid } = process
    const own = readFileSync(\`/proc/\${pid}/task/\${pid}/children\`, 'utf8').split(' ').filter(Boolean)
    for (const id of [pid, ...own]) peaks.set(id, parseInt(readFileSync(\`/proc/\${id}/status\`, 'utf8').split('VmHWM:')[1]) / 1024)
  } catch {}
}
const timer = setInterval(measure, 5)
try {
  result.book = await readBook(process.argv[2], () => true)
  result.coverBytes = (await readCover(process.argv[2], () => true, result.book))?.bytes.length
} catch (error) {
  result.failure = error.exitCode === 2 ? error.code : String(error.stack)
  result.message = error.message
}
clearInterval(timer)
measure()
if (peaks.size > 0) result.peak = Math.max(...[...peaks.values()].filter(Number.isFinite))
process.stdout.write(JSON.stringify(result))
`

/**
 * The reading of a book with the least memory, of three at most, and of one if that is below `most`. How much garbage lies about
 * before V8 clears it up differs by some MiB, the more so on a busy machine.
 */
export function leastOf(
  reader: Pick<Awaited<ReturnType<typeof childReader>>, 'read'>,
  path: string,
  most: number,
): ChildReading {
  let least = reader.read(path)
  for (let turn = 1; turn < 3 && (least.peak ?? 0) >= most; turn++) {
    const next = reader.read(path)
    if ((next.peak ?? 0) < (least.peak ?? 0)) least = next
  }
  return least
}

/** Reads books each in a process of its own, so that its memory can be measured and a hang be ended. */
export async function childReader(): Promise<{ read(path: string): ChildReading; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'reader-'))
  await bundleScript(`export * from '../../src/books/index.ts'`, join(folder, 'index.mjs'))
  // As they are built.
  for (const name of ['package.json', 'pdf-process.js', 'pdf-worker.js'])
    copyFileSync(join(import.meta.dirname, '../../../dist', name), join(folder, name))
  writeFileSync(join(folder, 'read.mjs'), program)
  return {
    read(path) {
      const { stdout, stderr, signal, status } = spawnSync(
        process.execPath,
        [join(folder, 'read.mjs'), path],
        {
          encoding: 'utf8',
          timeout: 20_000,
          killSignal: 'SIGKILL',
        },
      )
      if (status !== 0) return { failure: `the process ended by ${signal ?? status}: ${stderr}` }
      return JSON.parse(stdout) as ChildReading
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
