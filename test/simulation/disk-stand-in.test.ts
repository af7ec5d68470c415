import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exitCodes } from '../../src/system/errors.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startWatcher, type Watcher } from '../support/machine/watcher.ts'
import { bookService } from '../support/servers/book-service.ts'
import { takeLockOver } from './disk.ts'
import { seedRandom } from './random.ts'
import { forgetLogs, tornLog } from './torn-log.ts'

/** What a process does to a database: it commits a row, and waits for the disk or not; or all is moved from the log into the file. */
type Step = 'commit' | 'commit and wait' | 'checkpoint'

const steps: Record<string, readonly Step[]> = {
  'waits once, and then for nothing': ['commit', 'commit and wait', 'commit', 'commit', 'commit'],
  'waits for each': ['commit and wait', 'commit and wait', 'commit and wait'],
  'waits for none': ['commit', 'commit', 'commit', 'commit'],
  'begins its log anew': [
    'commit',
    'commit and wait',
    'checkpoint',
    'commit',
    'commit and wait',
    'commit',
    'commit',
  ],
}

/** Does the steps in a database, and calls `then` after each. Rows are as long as several sectors, some as several pages. */
function carryOut(
  path: string,
  Driver: typeof Libsql,
  all: readonly Step[],
  then: (step: Step, commit: () => void, isLast: boolean) => void,
): void {
  const db = new Driver(path)
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)')
  for (const [index, step] of all.entries()) {
    db.pragma(`synchronous = ${step === 'commit and wait' ? 'FULL' : 'NORMAL'}`)
    const carry = () => {
      if (step === 'checkpoint') return void db.pragma('wal_checkpoint(RESTART)')
      db.exec('BEGIN IMMEDIATE')
      db.exec(`INSERT INTO rows VALUES (${index}, '${'row '.repeat(index % 2 === 0 ? 300 : 3000)}')`)
      db.exec('COMMIT')
    }
    then(step, carry, index === all.length - 1)
  }
}

/** A process that does them and that the system kills; what it leaves, with no index of the log. */
function leftByKilled(folder: string, all: readonly Step[]): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'rows.db')
  const program = `(${carryOut})(${JSON.stringify(path)}, require('libsql'), ${JSON.stringify(all)}, (_, commit, isLast) => {
    commit()
    if (isLast) process.kill(process.pid, 'SIGKILL')
  })`
  const { signal, stderr } = spawnSync(process.execPath, ['-e', program])
  expect({ signal, stderr: `${stderr}` }).toEqual({ signal: 'SIGKILL', stderr: '' })
  return path
}

/** The same in this process, whose machine stops as the last commit is written. Returns what is then left. */
function leftByTorn(folder: string, all: readonly Step[]): { path: string; whole: Buffer } {
  mkdirSync(folder, { recursive: true })
  const [path, left] = [join(folder, 'rows.db'), join(folder, 'left.db')]
  let whole = Buffer.alloc(0)
  carryOut(path, Libsql, all, (step, commit, isLast) => {
    const log = tornLog(`${path}-wal`)
    commit()
    if (step === 'commit and wait' && !isLast) log.isSafe()
    if (!isLast) return
    whole = readFileSync(`${path}-wal`)
    const harm = log.tear()
    // What the driver still has open is another file.
    for (const each of [path, `${path}-wal`]) {
      copyFileSync(each, `${each}.left`)
      renameSync(`${each}.left`, each)
    }
    harm()
    copyFileSync(path, left)
    copyFileSync(`${path}-wal`, `${left}-wal`)
  })
  return { path: left, whole }
}

/** Has happen to a log what happened to another one of the same commits: it ends there, or has a part that was not written. */
function harmAlike(path: string, torn: Buffer, whole: Buffer): void {
  const own = readFileSync(path)
  expect(own.length).toBe(whole.length)
  // What was there before may have been anything, also where zeros were to be written.
  for (const [index, byte] of whole.entries()) own[index] = (own[index] ?? 0) ^ byte ^ (torn[index] ?? byte)
  writeFileSync(path, own.subarray(0, torn.length))
}

const rowsIn = (path: string): number[] => {
  const db = new Libsql(path)
  onTestFinished(() => void db.close())
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  // Its table may be lost as well.
  if (db.prepare('SELECT 1 FROM sqlite_schema').all().length === 0) return []
  const rows = db.prepare('SELECT number FROM rows ORDER BY number').all() as { number: number }[]
  return rows.map(({ number }) => number)
}

describe('what a stop of the machine leaves of a database', () => {
  it.each(Object.entries(steps))(
    'is what SQLite finds in the log of a killed process, harmed alike: %s',
    (_, all) => {
      const folder = temporaryFolder()
      const killed = leftByKilled(join(folder, 'killed'), all)
      const commits = all.flatMap((step, index) => (step === 'checkpoint' ? [] : [index]))
      // What was waited for before the last commit, or moved into the file.
      const safe = commits.filter(index =>
        all.slice(index, -1).some(step => step === 'commit and wait' || step === 'checkpoint'),
      )
      const found = new Set<number>()
      for (let seed = 0; seed < 100; seed += isSlow ? 1 : 4) {
        seedRandom(seed)
        const { path, whole } = leftByTorn(join(folder, `torn-${seed}`), all)
        forgetLogs()
        const real = join(folder, `real-${seed}.db`)
        copyFileSync(killed, real)
        copyFileSync(`${killed}-wal`, `${real}-wal`)
        harmAlike(`${real}-wal`, readFileSync(`${path}-wal`), whole)
        const rows = rowsIn(path)
        expect({ seed, rows }).toEqual({ seed, rows: rowsIn(real) })
        expect({ seed, rows }).toEqual({ seed, rows: commits.slice(0, rows.length) })
        expect(rows.length).toBeGreaterThanOrEqual(safe.length)
        found.add(rows.length)
      }
      // Something is lost, and not always the same; but never all that may be, and never nothing at all.
      expect(Math.min(...found)).toBeLessThan(commits.length)
      expect(Math.max(...found)).toBeLessThanOrEqual(commits.length)
    },
  )
})

describe.skipIf(process.platform === 'win32')(
  'a watcher that is held up while its lock is taken over',
  () => {
    const name = '.pubctl-watch.lock'
    const hourAgo = new Date(Date.now() - 3_600_000)

    /** Another process on the same folder, to which the lock seems to be that of a machine that is gone. */
    async function byProcess(path: string, another: () => Watcher) {
      const held = JSON.parse(readFileSync(path, 'utf8'))
      writeFileSync(path, `${JSON.stringify({ ...held, host: 'gone', processes: 'gone' })}\n`)
      utimesSync(path, hourAgo, hourAgo)
      await another().said(({ event }) => event === 'watching')
    }

    /** As the simulation has it. */
    const byStandIn = async (path: string) => takeLockOver(path, { taken: new Map() })

    it('finds the same, and ends in the same way, as in the simulation', async () => {
      const { url, env } = await bookService()
      const outcome = async (takeOver: typeof byProcess) => {
        const folder = temporaryFolder()
        const person = { home: temporaryFolder(), baseUrl: url, key: env.PUBCTL_API_KEY }
        const watch = () => startWatcher(folder, person, ['--quiet-period', '20ms', '--scan', '20ms'])
        const path = join(folder, name)
        const watcher = watch()
        await watcher.said(({ event }) => event === 'watching')
        watcher.child.kill('SIGSTOP')
        const before = readFileSync(path, 'utf8')
        const { ino } = statSync(path)
        await takeOver(path, watch)
        const [taken, after] = [readFileSync(path, 'utf8'), statSync(path)]
        const holder = JSON.parse(taken)
        watcher.child.kill('SIGCONT')
        const code = await watcher.ended()
        const { error } = JSON.parse(watcher.errors())
        return {
          lock: {
            isAnother: after.ino !== ino && taken !== before,
            mode: after.mode,
            isWhole: taken.endsWith('}\n'),
            has: ['token', 'pid', 'host', 'user', 'since'].map(field => `${field} ${typeof holder[field]}`),
          },
          ...{ code, error: error.code, isNamed: error.message.includes(`${holder.user} on ${holder.host}`) },
          isLeft: readFileSync(path, 'utf8') === taken,
        }
      }
      const held = await outcome(byProcess)
      expect(held).toMatchObject({
        code: exitCodes.refused,
        error: 'folder_taken',
        isNamed: true,
        isLeft: true,
      })
      expect(held.lock).toMatchObject({ isAnother: true, isWhole: true })
      expect(await outcome(byStandIn)).toEqual(held)
    })
  },
)
