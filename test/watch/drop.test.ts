import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { sha256 } from '../../src/system/sha256.ts'
import { storedHashes } from '../support/books/book-folder.ts'
import { environment } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startWatcher, type Watcher } from '../support/machine/watcher.ts'
import { badWays } from '../support/proxies/bad-ways.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const count = 200
const quiet = 2000
/** How long the service is away, in milliseconds. */
const away = 60_000

it.runIf(isSlow)(
  `each of ${count} books that are put into a folder in every bad way arrives once, and none before it was whole`,
  {
    timeout: 300_000,
  },
  async () => {
    const scene = temporaryFolder()
    const [folder, aside, home, dataDir] = ['watched', 'aside', 'home', 'data'].map(name => join(scene, name))
    for (const path of [folder, aside]) mkdirSync(path as string)
    const place = { folder: folder as string, aside: aside as string, home: home as string }
    const first = await startServer(dataDir as string, ['--processing-delay', '20ms'])
    const port = new URL(first.baseUrl).port

    const args = ['--quiet-period', `${quiet}ms`, '--scan', '200ms', '--recursive']
    const events: Watcher['events'][] = []
    const story = () => events.map(run => run.map(each => JSON.stringify(each)).join('\n')).join('\nkilled\n')
    const end = performance.now() + 240_000
    const watch = (): Watcher => {
      const watcher = startWatcher(place.folder, { ...first, home: place.home }, args)
      events.push(watcher.events)
      return watcher
    }
    const ways = Object.entries(badWays)
    const hashes: string[] = []
    const drops = Array.from({ length: count }, async (_, number) => {
      const title = `Book ${String(number).padStart(3, '0')}`
      const [, way] = ways[number % ways.length] as (typeof ways)[number]
      const [book, draft] = await Promise.all(
        [20_000, 10_000].map(paddingBytes => makeExampleEpub({ title, paddingBytes: paddingBytes + number })),
      )
      hashes.push(sha256(book as Buffer))
      await sleep((number / count) * quiet * 3)
      const path = join(place.folder, `${title}.epub`)
      await way({ path, book: book as Buffer, draft: draft as Buffer, aside: place.aside, quiet })
    })

    // Killed twice: once something is being sent, and once something was settled.
    let watcher = watch()
    await watcher.said(({ event }) => event === 'sending')
    await watcher.stop('SIGKILL')
    watcher = watch()
    await watcher.said(({ event }) => event === 'done')
    await watcher.stop('SIGKILL')
    watcher = watch()
    await watcher.said(({ event }) => event === 'sending')
    first.child.kill('SIGKILL')
    await sleep(away)
    await startServer(dataDir as string, ['--processing-delay', '20ms', '--port', port])
    await Promise.all(drops)
    for (
      const done = () => readdirSync(join(place.folder, 'done'), { recursive: true, withFileTypes: true });
      ;
    ) {
      const books = done().filter(entry => entry.isFile() && entry.name.endsWith('.epub'))
      if (books.length === count) break
      if (performance.now() > end) throw new Error(`${books.length} of ${count} books are done: ${story()}`)
      await sleep(100)
    }
    expect(await watcher.stop('SIGTERM')).toBe(143)

    expect(
      events.flat().filter(({ event }) => event === 'failed'),
      story(),
    ).toEqual([])
    expect(storedHashes(dataDir as string), story()).toEqual(hashes.sort())
    const { stdout } = await execa(
      process.execPath,
      [join(import.meta.dirname, '../../bin/pubctl.js'), 'publications', 'list', '--all', '--json'],
      { env: environment({ HOME: place.home, PUBCTL_BASE_URL: first.baseUrl, PUBCTL_API_KEY: first.key }) },
    )
    const listed = JSON.parse(stdout) as { title: string; uploadStatus: string }[]
    expect(listed.filter(({ uploadStatus }) => uploadStatus === 'available')).toHaveLength(count)
    expect(new Set(listed.map(({ title }) => title)).size).toBe(count)
    // Every file has a receipt beside it that is about its content, and nothing else is left anywhere.
    const left = readdirSync(place.folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    const books = left.filter(path => path.endsWith('.epub'))
    expect(left.filter(path => !path.endsWith('.epub')).sort()).toEqual(
      books.map(path => `${path}.receipt.json`).sort(),
    )
    for (const path of books) {
      expect(path.startsWith(join(place.folder, 'done'))).toBe(true)
      expect(JSON.parse(readFileSync(`${path}.receipt.json`, 'utf8')).sha256).toBe(sha256(readFileSync(path)))
    }
  },
)
