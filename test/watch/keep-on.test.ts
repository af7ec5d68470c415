import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBooks } from '../support/books/book-folder.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { watchScene } from '../support/machine/watch-scene.ts'
import { startWatcher } from '../support/machine/watcher.ts'
import { bookService } from '../support/servers/book-service.ts'

const quick = ['--quiet-period', '50ms', '--scan', '50ms']

async function scene(faults?: Parameters<typeof bookService>[0]) {
  const folder = join(temporaryFolder(), 'watched')
  mkdirSync(folder)
  const service = await bookService(faults)
  const person = { home: temporaryFolder(), baseUrl: service.url, key: service.env.PUBCTL_API_KEY }
  return {
    folder,
    service,
    home: person.home,
    watch: (more: readonly string[] = []) => startWatcher(folder, person, [...quick, ...more]),
  }
}

const lock = '.pubctl-watch.lock'

describe('one watcher works on a folder', () => {
  it('and a second one says who it is', async () => {
    const { folder, watch } = await scene()
    const first = watch()
    await first.said(({ event }) => event === 'watching')
    const second = watch(['--once'])
    expect(await second.ended()).toBe(6)
    const { code, message } = JSON.parse(second.errors()).error
    expect({ code, message }).toEqual({
      code: 'folder_taken',
      message: expect.stringContaining(`process ${first.child.pid} of `),
    })
    expect(await first.stop('SIGINT')).toBe(130)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(
    share(
      [
        ['was killed', { pid: 999_999_999 }],
        ['had the id of a process that is another one now', { pid: process.pid, started: '1' }],
      ],
      2,
    ),
  )('unless the first one %s', async (_, holder) => {
    const { folder, watch } = await scene()
    const former = watch()
    await former.said(({ event }) => event === 'watching')
    const held = JSON.parse(readFileSync(join(folder, lock), 'utf8'))
    await former.stop('SIGKILL')
    writeFileSync(join(folder, lock), JSON.stringify({ ...held, token: 'another', ...holder }))
    expect(await watch(['--once']).ended()).toBe(0)
  })

  it.each([
    ['as long as the first one', 0, 6],
    ['unless for a minute it', 70, 0],
  ])(
    'where the system does not say when a process started, %s gives a sign of life',
    async (_, seconds, code) => {
      const { folder, watch } = await scene()
      const former = watch()
      await former.said(({ event }) => event === 'watching')
      const held = JSON.parse(readFileSync(join(folder, lock), 'utf8'))
      await former.stop('SIGKILL')
      const unsaid = { ...held, token: 'another', pid: process.pid, started: null }
      writeFileSync(join(folder, lock), JSON.stringify(unsaid))
      const date = new Date(Date.now() - seconds * 1000)
      utimesSync(join(folder, lock), date, date)
      expect(await watch(['--once']).ended()).toBe(code)
    },
  )

  it.runIf(isSlow)('also if it is on another machine, as long as that gives a sign of life', async () => {
    const { folder, watch } = await scene()
    const held = { token: 't', pid: 1, host: `not-${hostname()}`, user: 'ann', since: '2026-01-01' }
    writeFileSync(join(folder, lock), JSON.stringify(held))
    const second = watch(['--once'])
    expect(await second.ended()).toBe(6)
    expect(second.errors()).toContain(`process 1 of ann on not-${hostname()}`)
  })

  it.runIf(isSlow)('and ends if another one has taken the folder over', async () => {
    const { folder, watch } = await scene()
    const first = watch()
    await first.said(({ event }) => event === 'watching')
    const held = { token: 't', pid: 1, host: 'other', user: 'ann', since: '2026-01-01' }
    // As a watcher does it: the lock is another file from one moment to the next.
    writeFileSync(join(folder, '.another'), JSON.stringify(held))
    renameSync(join(folder, '.another'), join(folder, lock))
    expect(await first.ended()).toBe(6)
    expect(JSON.parse(readFileSync(join(folder, lock), 'utf8')).host).toBe('other')
  })
})

it.runIf(isSlow)(
  'a folder that is away for a while, and the lock in it, is waited for, which is said once',
  async () => {
    const { folder, service, watch } = await scene()
    const watcher = watch()
    await watcher.said(({ event }) => event === 'watching')
    renameSync(folder, `${folder} elsewhere`)
    await watcher.said(({ event }) => event === 'folder-away')
    await makeBooks(`${folder} elsewhere`, 1)
    renameSync(`${folder} elsewhere`, folder)
    await watcher.said(({ event }) => event === 'done')
    const told = watcher.events.map(({ event }) => event).filter(event => event.startsWith('folder'))
    expect(told).toEqual(['folder-away', 'folder-back'])
    expect(service.made.map(({ puts }) => puts)).toEqual([1])
    expect(await watcher.stop('SIGTERM')).toBe(143)
  },
)

describe('a service that does not answer', () => {
  const unavailable = { status: 503, body: { error: 'UNAVAILABLE', message: 'later' } }

  it('is waited for, which is said once', async () => {
    const { folder, service, watch } = await scene({ ...unavailable, times: 4 })
    await makeBooks(folder, 3)
    const watcher = watch()
    for (let number = 0; number < 3; number++)
      await watcher.said(({ event, file }) => event === 'done' && file?.endsWith(`${number}.epub`) === true)
    const told = watcher.events.map(({ event }) => event).filter(event => event.startsWith('service'))
    expect(told).toEqual(['service-away', 'service-back'])
    expect(service.made.map(({ puts }) => puts)).toEqual([1, 1, 1])
    expect(await watcher.stop('SIGTERM')).toBe(143)
  })

  it('is gone on with also where no journal can be written', async () => {
    const { folder, service, home, watch } = await scene({ ...unavailable, to: /^PUT/ })
    // A file where the folder of the journal should be.
    writeFileSync(join(home, '.local'), '')
    await makeBooks(folder, 1)
    const watcher = watch(['--timeout', '1s'])
    await watcher.said(({ event }) => event === 'service-away')
    service.faults.length = 0
    await watcher.said(({ event, movedTo }) => event !== 'found' && movedTo !== undefined)
    expect(watcher.events.find(({ movedTo }) => movedTo)).toMatchObject({
      event: 'done',
      outcome: 'uploaded',
    })
    expect(service.made.map(({ puts }) => puts)).toEqual([1])
    expect(await watcher.stop('SIGTERM')).toBe(143)
    expect(watcher.errors().match(/cannot be resumed/g)).toHaveLength(1)
  })

  it.runIf(isSlow)('ends --once with 8, and the books stay', async () => {
    const { folder, watch } = await scene(unavailable)
    await makeBooks(folder, 2)
    const watcher = watch(['--once', '--timeout', '1s'])
    expect(await watcher.ended()).toBe(8)
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it.runIf(isSlow)('once is asked again, also by --once', async () => {
    const { folder, service, watch } = await scene({ ...unavailable, times: 1 })
    await makeBooks(folder, 1)
    expect(await watch(['--once']).ended()).toBe(0)
    expect(service.made.map(({ puts }) => puts)).toEqual([1])
  })

  it.runIf(isSlow)('that refuses the key ends the watcher, and the books stay', async () => {
    const { folder, watch } = await scene({ status: 401, body: { error: 'UNAUTHORIZED', message: 'no' } })
    await makeBooks(folder, 2)
    expect(await watch().ended()).toBe(3)
    expect(readdirSync(folder)).toHaveLength(2)
  })
})

it('a book that somebody replaces while it is sent is moved only once its new content is there', async () => {
  const titles = { old: 'A Book', new: 'Another Book' }
  const books = {
    old: await makeExampleEpub({ title: titles.old, paddingBytes: 1000 }),
    new: await makeExampleEpub({ title: titles.new, paddingBytes: 2000 }),
  }
  const path = { book: '' }
  const { folder, service, watch } = await scene({
    // It arrives as it was found; then it is replaced before the answer comes.
    ...{ to: /^PUT .put/, times: 1, when: 'done' },
    meanwhile: () => writeFileSync(path.book, books.new),
  })
  path.book = join(folder, 'book.epub')
  writeFileSync(path.book, books.old)
  const watcher = watch()
  await watcher.said(({ event, movedTo }) => event === 'done' && movedTo !== undefined)
  expect(await watcher.stop('SIGTERM')).toBe(143)
  expect(service.made.map(({ title }) => title)).toContain(titles.new)
  const done = readdirSync(join(folder, 'done')).filter(name => name.endsWith('.epub'))
  expect(done.map(name => readFileSync(join(folder, 'done', name)).equals(books.new))).toEqual([true])
})

it('a pause between looks is ended by what is put into the folder', async () => {
  const { folder, watch } = await scene()
  const watcher = watch(['--scan', '1h'])
  await watcher.said(({ event }) => event === 'watching')
  await sleep(300)
  await makeBooks(folder, 1)
  await watcher.said(({ event }) => event === 'done')
  await watcher.stop('SIGKILL')
})

it.runIf(isSlow)(
  'the same content is sent once, and not again where it has failed, whatever the names of the files',
  async () => {
    const { put, at, start, titles } = watchScene()
    const { said } = start([])
    const settled = async (event: string, name: string) => await said(event, ({ file }) => file === at(name))
    await put('a.epub', 'A')
    const { publicationId } = await settled('done', 'a.epub')
    copyFileSync(at('done', 'a.epub'), at('b.epub'))
    expect(await settled('done', 'b.epub')).toMatchObject({
      ...{ outcome: 'skipped', publicationId, movedTo: at('done', 'b.epub') },
    })
    await put('upload_quarantine.epub', 'B')
    const bad = await settled('failed', 'upload_quarantine.epub')
    copyFileSync(at('failed', 'upload_quarantine.epub'), at('c.epub'))
    expect(await settled('failed', 'c.epub')).toMatchObject({
      ...{ outcome: 'failed', publicationId: bad.publicationId, error: { code: 'upload_quarantine' } },
      movedTo: at('failed', 'c.epub'),
    })
    expect(await titles()).toEqual(['A', 'B'])
  },
)
