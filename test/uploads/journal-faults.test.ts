import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { systemClock } from '../../src/system/world.ts'
import { makeBooks } from '../support/books/book-folder.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { startBin } from '../support/machine/bin.ts'
import { shell } from '../support/machine/limited-shell.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'

const journalOf = (home: string) => join(home, '.local/share/pubctl/uploads.db')

describe('the journal on the disk', () => {
  it.runIf(isSlow)('never holds a presigned address, not even in its log', async () => {
    const seen: string[] = []
    const files = () =>
      readdirSync(join(home, '.local/share/pubctl')).map(name => join(home, '.local/share/pubctl', name))
    const holding = () => files().filter(file => /X-Amz-Signature/.test(readFileSync(file, 'latin1')))
    // The journal knows of the upload whose file is being sent.
    const { env } = await bookService({ to: 'PUT', meanwhile: () => seen.push(...holding(), 'looked') })
    const { run, home } = machine(env)
    const folder = join(home, 'books')
    await makeBooks(folder, 30)
    expect((await run(['publications', 'upload', folder, '--json'])).code).toBe(0)
    expect([...new Set(seen)]).toEqual(['looked'])
    expect(holding()).toEqual([])
    for (const file of files()) expect(statSync(file).mode & 0o77).toBe(0)
  })

  it('that is damaged ends in words that say what to do, and the file stays as it is', async () => {
    const { env, log } = await bookService()
    const { run, home } = machine(env)
    const path = await exampleBook({ cover: false })
    expect((await run(['publications', 'upload', path])).code).toBe(0)
    log.length = 0
    const bytes = readFileSync(journalOf(home))
    for (const spoilt of [
      Buffer.from('not a database at all'.repeat(99)),
      Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]),
    ]) {
      writeFileSync(journalOf(home), spoilt)
      const { code, err } = await run(['publications', 'upload', path, '--json'])
      expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 2, error: 'journal_unusable' })
      expect(err).toMatch(/is damaged.*Move the file away/)
      expect(readFileSync(journalOf(home)).equals(spoilt)).toBe(true)
    }
    expect(log).toEqual([])
  })

  it('whose index is damaged is told as damaged, though the driver has no name for that', async () => {
    const { sandbox, run, home } = machine()
    const receipt = JSON.parse(
      (await sandbox(['publications', 'upload', await exampleBook({ cover: false }), '--json'])).out,
    )
    const db = new Libsql(journalOf(home))
    // The index is now said to be one of another column than it was made of.
    db.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX byFile ON uploads (creation)' WHERE name = 'byFile'`)
    db.close()
    const { code, err } = await run(['uploads', 'forget', receipt.uploadRequestId, '--json'])
    expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 2, error: 'journal_unusable' })
    expect(err).toMatch(/is damaged.*Move the file away/)
  })

  it('is read also where a process was killed in the middle of a write', async () => {
    const home = temporaryFolder()
    const run = (...args: string[]) => startBin(args, { HOME: home, PUBCTL_SANDBOX_DELAY: '5ms' })
    await run('--profile', 'sandbox', 'publications', 'upload', await exampleBook({ cover: false }))
    const path = journalOf(home)
    const writer = new Libsql(path)
    writer.pragma('journal_mode = DELETE')
    // With so little memory what is not committed goes into the file at once.
    writer.pragma('cache_size = 2')
    writer.exec('BEGIN; CREATE TABLE ballast (text); DELETE FROM uploads')
    writer.exec(`WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 5000)
      INSERT INTO ballast SELECT hex(randomblob(50)) FROM count`)
    const files = [path, `${path}-journal`].map(file => [file, readFileSync(file)] as const)
    writer.exec('ROLLBACK')
    writer.close()
    for (const [file, content] of files) writeFileSync(file, content)
    const { exitCode, stdout, stderr } = await run('uploads', 'list', '--finished', '--json')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toHaveLength(1)
  })

  it.skipIf(process.platform === 'win32')(
    'that cannot be written does not stop an upload, which is told',
    async () => {
      const { env, made } = await bookService()
      const path = await exampleBook({ cover: false })
      // A file where the folder should be holds root back too.
      const home = temporaryFolder()
      writeFileSync(join(home, '.local'), '')
      const { exitCode, stderr, stdout } = await startBin(['publications', 'upload', path], {
        ...env,
        HOME: home,
      })
      expect({ exitCode, made: made.length }).toEqual({ exitCode: 0, made: 1 })
      expect(stdout).toMatch(/available/)
      expect(stderr).toMatch(
        /warning: the journal of uploads .* cannot be opened \(E\w+\); an interrupted upload cannot be resumed/,
      )
      const resumed = await startBin(['uploads', 'resume', '--json'], { ...env, HOME: home })
      expect(resumed.exitCode).toBe(2)
      expect(JSON.parse(resumed.stderr).error).toMatchObject({
        code: 'journal_unwritable',
        hint: expect.stringContaining('PUBCTL_DATA_DIR'),
      })
    },
  )

  it.skipIf(process.getuid?.() === 0)(
    'in a folder that is read-only does not stop an upload either',
    async () => {
      const { env, made } = await bookService()
      const { run, home } = machine(env)
      chmodSync(home, 0o500)
      expect((await run(['publications', 'upload', await exampleBook({ cover: false })])).code).toBe(0)
      expect(made).toHaveLength(1)
    },
  )

  it.runIf(isSlow)(
    'for which there is no room any more stops a batch in words, and loses nothing',
    async () => {
      const { env, made } = await bookService()
      const home = temporaryFolder()
      const folder = join(home, 'books')
      await makeBooks(folder, 24)
      const args = ['publications', 'upload', folder, '--json']
      // Files may grow to 96 KiB, which the journal's log soon reaches.
      const { exitCode, stderr } = await shell('ulimit -f 192', args, { ...env, HOME: home })
      expect({ exitCode, error: JSON.parse(stderr).error }).toMatchObject({
        exitCode: 2,
        error: { code: 'journal_unwritable', hint: expect.stringMatching(/^Make room there, or name/) },
      })
      expect(stderr).toMatch(/cannot be written \(SQLITE_/)
      const again = await startBin(args, { ...env, HOME: home })
      expect(again.exitCode).toBe(0)
      expect(made.filter(({ sent }) => sent)).toHaveLength(24)
      expect(made).toHaveLength(24)
    },
  )
})

describe('two processes with one journal', () => {
  it.runIf(isSlow)('upload the same folder at the same time, and no book twice', async () => {
    const { env, made } = await bookService()
    const home = temporaryFolder()
    const folder = join(home, 'books')
    await makeBooks(folder, 30)
    const results = await Promise.all(
      [1, 2, 3].map(() => startBin(['publications', 'upload', folder, '--json'], { ...env, HOME: home })),
    )
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    const outcomes = results.flatMap(({ stdout }) =>
      JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome),
    )
    expect(outcomes.filter(outcome => outcome === 'uploaded')).toHaveLength(30)
    expect(made.map(({ puts }) => puts)).toEqual(Array.from({ length: 30 }, () => 1))
  })

  it('take over at once what a killed one was at', async () => {
    const { env, made, faults } = await bookService({ to: 'PUT', does: 'hang' })
    const home = temporaryFolder()
    const path = await exampleBook({ cover: false })
    const args = ['publications', 'upload', path, '--json']
    const child = startBin(args, { ...env, HOME: home })
    await expect.poll(() => made.length).toBe(1)
    child.kill('SIGKILL')
    await child
    faults.length = 0
    expect((await startBin(args, { ...env, HOME: home })).exitCode).toBe(0)
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })
})

describe('a file that changes', () => {
  const changes: [string, (path: string) => void][] = [
    ['grows', path => appendFileSync(path, 'more')],
    ['shrinks', path => truncateSync(path, 4_000_000)],
    ['is written over', path => utimesSync(path, new Date(), new Date(Date.now() + 5000))],
  ]
  it.each(share(changes, changes.length))(
    'and %s while it is sent fails, arrives nowhere, and is uploaded whole the next time',
    async (_, change) => {
      const path = await exampleBook({ cover: false, paddingBytes: 12_000_000 })
      const { env, made } = await bookService({
        ...{ to: 'PUT', when: 'sending', times: 1, meanwhile: () => change(path) },
      })
      const { run } = machine(env)
      const failed = await run(['publications', 'upload', path, '--json'])
      expect({ code: failed.code, error: JSON.parse(failed.err).error.code }).toEqual({
        code: 2,
        error: 'file_changed',
      })
      expect(made[0]?.sent).toBeUndefined()
      writeFileSync(path, await makeExampleEpub({ cover: false, paddingBytes: 8_000_000 }))
      const again = await run(['publications', 'upload', path, '--json'])
      expect(again.code).toBe(0)
      expect(made).toHaveLength(1)
      expect(made[0]?.sent?.equals(readFileSync(path))).toBe(true)
    },
  )
})

describe('a journal that another program holds', () => {
  /** A machine whose journal is held from the arrival of the book on, for so many waits; `waited` counts them. */
  async function held(waits: number) {
    const path = await exampleBook({ cover: false })
    const journal: { holder?: InstanceType<typeof Libsql> } = {}
    const { env, made } = await bookService({
      to: 'PUT',
      meanwhile() {
        journal.holder = new Libsql(journalOf(self.home))
        journal.holder.exec('BEGIN IMMEDIATE')
      },
    })
    const self = machine(env)
    let [now, waited] = [Date.now(), 0]
    const clock = {
      ...systemClock,
      now: () => now,
      monotonic: () => now,
      async sleep(milliseconds: number) {
        now += milliseconds * 20
        if (++waited === waits) journal.holder?.exec('COMMIT')
      },
    }
    return {
      ...self,
      made,
      upload: () => self.run(['publications', 'upload', path, '--json'], { clock }),
      waited: () => waited,
      letGo: () => {
        if (journal.holder?.inTransaction) journal.holder.exec('ROLLBACK')
        // The claim of a process that has ended counts no more; the one of this test goes on.
        journal.holder?.exec('DELETE FROM claims')
        journal.holder?.close()
      },
    }
  }

  it('once the book has arrived is waited for', async () => {
    const { upload, waited, made, letGo } = await held(3)
    const { code, out, err } = await upload()
    letGo()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ outcome: 'uploaded', uploadStatus: 'available' })
    expect(waited()).toBeGreaterThanOrEqual(3)
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it('for longer than that ends in words, and the upload is gone on with', async () => {
    const { upload, run, made, letGo } = await held(Number.POSITIVE_INFINITY)
    const { code, out, err } = await upload()
    const error = {
      code: 'journal_busy',
      message: expect.stringMatching(/^the journal of uploads .* is held by another program$/),
      hint: expect.stringMatching(/What was sent is intact.*pubctl uploads resume/),
    }
    expect({ code, ...JSON.parse(err), receipt: JSON.parse(out) }).toMatchObject({
      ...{ code: 13, error },
      receipt: { error },
    })
    letGo()
    const resumed = await run(['uploads', 'resume', '--json'])
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.out)).toMatchObject([{ uploadStatus: 'available' }])
    expect(made.map(({ puts }) => puts)).toEqual([1])
  })

  it.runIf(isSlow)('from the start ends in the same words, and sends nothing', async () => {
    const { upload, run, home, made } = await held(1)
    await run(['uploads', 'forget', 'x'])
    const holder = new Libsql(journalOf(home))
    holder.exec('BEGIN IMMEDIATE')
    const { code, err } = await upload()
    holder.close()
    expect({ code, error: JSON.parse(err).error.code, made }).toEqual({
      code: 13,
      error: 'journal_busy',
      made: [],
    })
  })
})
