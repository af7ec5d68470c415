import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeBooks, storedHashes } from '../support/books/book-folder.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { randomFrom } from '../support/machine/random.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startWatcher } from '../support/machine/watcher.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

/** `npm run check:slow` kills forty times. */
const count = 150
const kills = 40
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)

it.runIf(isSlow)(
  `a watcher that is killed ${kills} times while it sends and moves ${count} books sends and moves each once (seed ${seed})`,
  {
    timeout: 600_000,
  },
  async () => {
    const scene = temporaryFolder()
    const at = (...names: string[]) => join(scene, ...names)
    mkdirSync(at('watched'))
    const { hashes } = await makeBooks(at('watched'), count)
    const server = await startServer(at('data'), ['--processing-delay', '20ms'])
    const watch = () =>
      startWatcher(at('watched'), { ...server, home: at('home') }, [
        ...['--quiet-period', '50ms', '--scan', '50ms', '--once', '--concurrency', '2'],
      ])
    for (let turn = 0; turn < kills; turn++) {
      const watcher = watch()
      // Half of the times around a move.
      const isMoving = random() < 0.5
      await watcher.said(({ event }) => event === (isMoving ? 'done' : 'sending') || event === 'stopped')
      await sleep(random() * 60)
      await watcher.stop('SIGKILL')
    }
    const last = watch()
    expect(await last.ended(), last.errors()).toBe(0)
    expect(storedHashes(at('data'))).toEqual(hashes)
    const done = readdirSync(at('watched', 'done'))
    const names = readdirSync(at('watched', 'done')).filter(name => name.endsWith('.epub'))
    expect(names).toHaveLength(count)
    expect(done.sort()).toEqual(names.flatMap(name => [name, `${name}.receipt.json`]).sort())
    for (const name of names)
      expect(
        JSON.parse(readFileSync(at('watched', 'done', `${name}.receipt.json`), 'utf8')).publicationId,
      ).toMatch(/./)
    expect(readdirSync(at('watched')).filter(name => !name.startsWith('.'))).toEqual(['done'])
  },
)
