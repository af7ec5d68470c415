import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { identityOf, processMarkOf } from '../../src/system/process-mark.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'

const own = identityOf('self')
const { pid: ended } = spawnSync(process.execPath, ['-e', '0'])

/** Processes that may have left files behind, as their names say it. */
const marks = {
  // It has the id of this one, which is alive, and started at another time.
  ofReusedId: processMarkOf(process.pid, { ...own, started: '1' }),
  ended: processMarkOf(ended, { ...own, started: '1' }),
  elsewhere: processMarkOf(process.pid, { ...own, processes: 'another machine' }),
  alive: processMarkOf(process.pid, own),
}

function scene() {
  const folder = temporaryFolder()
  const at = (...names: string[]) => join(folder, ...names)
  const plant = (path: string, minutesAgo = 0): string => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'half')
    const date = new Date(Date.now() - minutesAgo * 60_000)
    utimesSync(path, date, date)
    return path
  }
  const { sandbox } = machine()
  return {
    at,
    plant,
    watch: async () =>
      await sandbox(['watch', folder, '--once', '--quiet-period', '30ms', '--scan', '30ms', '-o', 'ndjson']),
    /** The lock of a watcher that was killed. */
    leaveLock: (holder: object = {}) =>
      writeFileSync(
        at('.pubctl-watch.lock'),
        JSON.stringify({
          token: 't',
          pid: ended,
          host: hostname(),
          user: 'ann',
          since: '2026',
          ...own,
          ...holder,
        }),
      ),
  }
}

describe('after a watcher that was killed', () => {
  it('the next one removes the drafts of receipts and copies, and nothing that is like them', async () => {
    const { at, plant, watch, leaveLock } = scene()
    leaveLock()
    const folders = [at(), at('done'), at('done', 'a', 'b'), at('failed'), at('failed', 'c')]
    const left = folders.flatMap(folder => [
      plant(join(folder, `.pubctl-${marks.ended}-draft`)),
      plant(join(folder, `.pubctl-${marks.ofReusedId}-draft`)),
      plant(join(folder, `.pubctl-${marks.elsewhere}-old`), 60),
    ])
    const kept = folders.flatMap(folder => [
      plant(join(folder, `.pubctl-${marks.alive}-draft`), 60 * 24 * 7),
      plant(join(folder, `.pubctl-${marks.elsewhere}-draft`), 5),
      plant(join(folder, `.pubctl-${marks.ended}-draft.epub`), 60),
      plant(join(folder, `.pubctl-${ended}-draft`), 60),
      plant(join(folder, `.pubctl-${marks.ended}`), 60),
      plant(join(folder, `.pubctl-${marks.ended}-folder`, 'book.epub'), 60),
    ])
    expect((await watch()).code).toBe(0)
    expect(left.filter(existsSync)).toEqual([])
    expect(kept.filter(path => !existsSync(path))).toEqual([])
  })

  it('that ran elsewhere, such as in a container that is gone, its drafts are removed however new they are', async () => {
    const { at, plant, watch, leaveLock } = scene()
    leaveLock({ processes: 'another machine', pid: process.pid })
    const hourAgo = new Date(Date.now() - 3_600_000)
    utimesSync(at('.pubctl-watch.lock'), hourAgo, hourAgo)
    const left = plant(at('done', `.pubctl-${marks.elsewhere}-draft`))
    expect((await watch()).code).toBe(0)
    expect(existsSync(left)).toBe(false)
  })

  it.each(['ended', 'ofReusedId', 'elsewhere'] as const)(
    'a book that it had put aside gets its name back: %s',
    async which => {
      const { at, watch } = scene()
      writeFileSync(at('a.epub'), await makeExampleEpub({ title: 'A' }))
      renameSync(at('a.epub'), at(`.pubctl-moving-${marks[which]}-a.epub`))
      expect((await watch()).code).toBe(0)
      expect(readdirSync(at()).sort()).toEqual(['done'])
      expect(readdirSync(at('done')).sort()).toEqual(['a.epub', 'a.epub.receipt.json'])
    },
  )

  it('the next one completes a move that it has begun', async () => {
    const { at, watch } = scene()
    writeFileSync(at('a.epub'), await makeExampleEpub({ title: 'A' }))
    expect((await watch()).code).toBe(0)
    // The file was linked, and put aside under its old name.
    linkSync(at('done', 'a.epub'), at(`.pubctl-moving-${marks.ended}-a.epub`))
    expect((await watch()).code).toBe(0)
    expect(readdirSync(at()).sort()).toEqual(['done'])
    expect(readdirSync(at('done')).sort()).toEqual(['a.epub', 'a.epub.receipt.json'])
  })

  it('what a living process has put aside stays', async () => {
    const { at, plant, watch } = scene()
    const aside = plant(at(`.pubctl-moving-${marks.alive}-a.epub`), 60 * 24 * 7)
    expect((await watch()).code).toBe(0)
    expect(existsSync(aside)).toBe(true)
  })
})
