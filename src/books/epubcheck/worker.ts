import { closeSync, fstatSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { validate as Validate } from 'epubcheck-standalone'
import { openFileSync } from '../../system/open-file.ts'
import type { ApartError } from '../apart/limits.ts'
import type { PackageReport } from './package.ts'

// The package is not part of pubctl, and its path is what this thread is started with. Nothing else runs here, so files may be
// read at once.
const [, , path = ''] = process.argv
const { validate }: { validate: typeof Validate } = createRequire(import.meta.url)(path)
const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose')

async function check(file: string): Promise<PackageReport> {
  const fd = openFileSync(file)
  try {
    const source = {
      size: fstatSync(fd).size,
      read: (offset: number, length: number) => {
        const bytes = Buffer.alloc(length)
        return bytes.subarray(0, readSync(fd, bytes, 0, length, offset))
      },
      [dispose]: () => undefined,
    }
    const { reports, exitCode, stderr } = await validate(source, { name: basename(file), reports: ['json'] })
    return { json: reports?.json ?? '', exitCode: exitCode ?? 1, stderr }
  } finally {
    closeSync(fd)
  }
}

const errorOf = ({ name, message }: Error): ApartError => ({ error: name, message })

parentPort?.on('message', async ({ file }: { file: string }) => {
  parentPort?.postMessage(await check(file).catch(errorOf))
})
parentPort?.postMessage('loaded')
