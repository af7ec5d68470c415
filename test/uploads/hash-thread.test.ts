import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { smallFile } from '../../src/uploads/reading/hash.ts'
import { environment } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'

const root = join(import.meta.dirname, '../..')

/** A copy of the program in which the hashing thread is another script, or is missing. */
function programWith(thread: string | undefined): string {
  const folder = temporaryFolder()
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: path => !path.endsWith('.map') })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const worker = join(folder, 'dist/hash-worker.js')
  if (thread === undefined) rmSync(worker)
  else writeFileSync(worker, thread)
  return join(folder, 'bin/pubctl.js')
}

/** A book that is hashed in the thread. */
const book = makeExampleEpub({ cover: false, paddingBytes: smallFile + 1 })

/** Uploads a book that is large enough to be hashed in the thread; gives what came of it. */
async function upload(thread: string | undefined) {
  const { env, made } = await bookService()
  const { home } = machine()
  const path = join(home, 'book.epub')
  writeFileSync(path, await book)
  // Without a metadata key for it, the hash is needed here alone.
  const args = [programWith(thread), 'publications', 'upload', path, '--skip-existing', '--quiet', '--json']
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, {
    env: environment({ HOME: home, ...env }),
    extendEnv: false,
    reject: false,
    input: '',
  })
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  return { exitCode, stderr, receipt: JSON.parse(stdout || 'null'), sha256, made }
}

describe('a hashing thread', () => {
  it.each(
    share(
      [
        ['cannot start', undefined],
        ['fails', "throw new Error('out of memory')"],
        ['ends without a word', ''],
      ],
      3,
    ),
  )('that %s does not fail the upload, and the hash is there all the same', async (_, thread) => {
    const { exitCode, stderr, receipt, sha256, made } = await upload(thread)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(receipt).toMatchObject({ outcome: 'uploaded', uploadStatus: 'available', sha256 })
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it('that cannot read the file fails the upload before anything is created', async () => {
    const thread = "require('node:worker_threads').parentPort.postMessage({ error: 'EIO' })"
    const { exitCode, stderr, made } = await upload(thread)
    expect({ exitCode, made }).toEqual({ exitCode: 2, made: [] })
    expect(stderr).toMatch(/cannot read .*: EIO/)
  })
})
