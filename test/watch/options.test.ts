import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { makeBook } from '../support/books/make-book.ts'
import { fakeEpubCheck } from '../support/machine/fake-epubcheck.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'
import { leaves, root } from '../support/machine/tree.ts'
import { quick, watchScene } from '../support/machine/watch-scene.ts'
import { startWatcher } from '../support/machine/watcher.ts'
import { bookService } from '../support/servers/book-service.ts'

type Scene = ReturnType<typeof watchScene>

const hour = 3_600_000
const isbn = '9783161484100'

/** A clock whose pauses of half an hour and more end when the test says so. */
function slowClock() {
  const slept: number[] = []
  const paused = new Set<() => void>()
  let ahead = 0
  return {
    ...systemClock,
    slept,
    monotonic: () => performance.now() + ahead,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      slept.push(milliseconds)
      if (milliseconds < hour / 2) return await systemClock.sleep(milliseconds, signal)
      await new Promise<void>((resolve, reject) => {
        paused.add(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    },
    advance(milliseconds: number) {
      ahead += milliseconds
      for (const end of paused) end()
      paused.clear()
    },
  }
}

/** What each option does to a watcher that goes on: what comes after it was started. */
const effects: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async '--quiet-period'({ put, at, start }) {
    const clock = slowClock()
    const { said, of } = start(['--quiet-period', '1h'], { clock })
    await said('watching')
    await put('a.epub', 'A')
    await said('found', ({ file }) => file === at('a.epub'))
    clock.advance(hour * 0.9)
    await put('b.epub', 'B')
    await said('found', ({ file }) => file === at('b.epub'))
    expect(of('sending')).toEqual([])
    clock.advance(hour * 0.2)
    await said('done', ({ file }) => file === at('a.epub'))
    expect(of('done')).toHaveLength(1)
  },
  async '--scan'({ put, at, start }) {
    const clock = slowClock()
    mkdirSync(at('below'))
    // The system tells of changes in the folder itself, and not everywhere of those below.
    const { said } = start(['--scan', '1h', '--recursive'], { clock })
    await said('watching')
    await expect.poll(() => clock.slept, { interval: 5 }).toContain(hour)
    await put(join('below', 'a.epub'), 'A')
    clock.advance(hour)
    await said('found')
  },
  async '--recursive'({ put, at, start }) {
    const { said } = start(['--recursive'])
    await said('watching')
    mkdirSync(at('below'))
    await put(join('below', 'a.epub'), 'A')
    expect((await said('done')).movedTo).toBe(at('done', 'below', 'a.epub'))
  },
  async '--trigger'({ put, at, start, files }) {
    const { said, of } = start(['--trigger', '*.ready'])
    await said('watching')
    await put('a.epub', 'A')
    await put('b.epub', 'B')
    await said('waiting', ({ file }) => file === at('a.epub'))
    writeFileSync(at('a.epub.ready'), '')
    await said('done', ({ file }) => file === at('a.epub'))
    writeFileSync(at('b.ready'), '')
    await said('done', ({ file }) => file === at('b.epub'))
    expect(of('waiting').map(({ why }) => why)).toEqual(
      expect.arrayContaining(['there is no a.epub.ready or a.ready']),
    )
    await expect
      .poll(() => files().filter(name => !name.endsWith('.json')), { interval: 5 })
      .toEqual([
        '.pubctl-watch.lock',
        ...['a.epub', 'a.epub.ready', 'b.epub', 'b.ready'].map(name => join('done', name)),
      ])
  },
  async '--done'({ put, start }) {
    const folder = join(temporaryFolder(), 'sent')
    const { said } = start(['--done', folder])
    await said('watching')
    await put('a.epub', 'A')
    expect((await said('done')).movedTo).toBe(join(folder, 'a.epub'))
    expect(readdirSync(folder)).toEqual(['a.epub', 'a.epub.receipt.json'])
  },
  async '--failed'({ at, start }) {
    const folder = join(temporaryFolder(), 'refused')
    const { said } = start(['--failed', folder])
    await said('watching')
    writeFileSync(at('bad.epub'), 'no book at all')
    expect((await said('failed')).movedTo).toBe(join(folder, 'bad.epub'))
    expect(readdirSync(folder)).toEqual(['bad.epub', 'bad.epub.receipt.json'])
  },
  async '--once'({ put, start }) {
    await put('a.epub', 'A')
    expect((await start(['--once']).running).code).toBe(0)
    await put('b.epub', 'B')
    const going = start([])
    await going.said('done')
    expect(going.of('stopped')).toEqual([])
    await going.stop()
    expect(going.of('stopped')).toHaveLength(1)
  },
  async '--encoding'({ put, at, start, titles }) {
    const { said } = start(['--encoding', 'windows-1252'])
    await said('watching')
    writeFileSync(at('books.csv'), Buffer.from('file,title\none.epub,Gr\u00f6\u00dfe\n', 'latin1'))
    await put('one.epub', 'Own Title')
    await said('done', ({ file }) => file === at('one.epub'))
    expect(await titles()).toContain('Gr\u00f6\u00dfe')
  },
  async '--name'({ put, at, start, titles }) {
    const { said } = start(['--name', 'book {title}.epub'])
    await said('watching')
    writeFileSync(at('books.csv'), `title,isbn,author\nSea,${isbn},From the Sheet\n`)
    await said('waiting', ({ file }) => file === at('books.csv'))
    await put('book sea.epub', 'Own Title')
    await said('done', ({ file }) => file === at('book sea.epub'))
    expect(await titles()).toContain('Sea')
  },
  async '--match'({ put, at, start, sandbox, receipt }) {
    await sandbox(['metadata-keys', 'create', 'sku'])
    const { said } = start(['--match', 'metadata:sku'])
    await said('watching')
    await put('one.epub', 'Own Title')
    writeFileSync(at('books.csv'), 'file,key\none.epub,SKU-7\n')
    await said('done', ({ file }) => file === at('one.epub'))
    expect(receipt('done', 'one.epub.receipt.json')).toMatchObject({ key: 'SKU-7' })
    await put('one.epub', 'Own Title')
    writeFileSync(at('more.csv'), 'file,key\none.epub,SKU-7\n')
    expect((await said('done', ({ movedTo }) => movedTo === at('done', 'one-2.epub'))).outcome).toBe(
      'skipped',
    )
  },
  async '--reissue'({ put, at, start, titles }) {
    const { said } = start(['--reissue'])
    await said('watching')
    for (const [sheet, title] of [
      ['first.csv', 'First'],
      ['second.csv', 'Second'],
    ] as const) {
      await put('one.epub', 'Own Title')
      writeFileSync(at(sheet), `file,title,isbn\none.epub,${title},${isbn}\n`)
      await said('done', ({ file }) => file === at(sheet))
    }
    expect((await titles()).filter(title => ['First', 'Second'].includes(title))).toEqual(['Second'])
  },
  async '--new'({ put, at, start, titles }) {
    const { said } = start(['--new'])
    await put('one.epub', 'One Title', 100)
    await said('done')
    writeFileSync(at('books.csv'), `file,isbn\ntwo.epub,${isbn}\n`)
    await put('two.epub', 'One Title', 300)
    await said('done', ({ file }) => file === at('two.epub'))
    expect((await titles()).filter(title => title === 'One Title')).toHaveLength(2)
  },
  async '--if-changed'({ put, at, start, titles }) {
    const { said } = start(['--if-changed', 'edition'])
    await put('a.epub', 'Same Title', 100)
    await said('done')
    await put('a.epub', 'Same Title', 200)
    await said('done', ({ movedTo }) => movedTo === at('done', 'a-2.epub'))
    expect((await titles()).filter(title => title === 'Same Title')).toHaveLength(1)
  },
  async '--no-wait'({ put, start, receipt }) {
    const { said } = start(['--no-wait'], { env: { PUBCTL_SANDBOX_DELAY: '1h' } })
    await said('watching')
    await put('a.epub', 'A')
    await said('done')
    expect(receipt('done', 'a.epub.receipt.json').uploadStatus).not.toBe('available')
  },
  async '--no-check'({ at, start }) {
    const { said, of } = start(['--no-check'])
    await said('watching')
    writeFileSync(at('broken.epub'), makeBook({ spine: '<itemref idref="missing"/>' }))
    await said('sending')
    await Promise.race([said('done'), said('failed')])
    expect(of('failed').map(({ error }) => error?.code)).not.toContain('book_unfit')
  },
  async '--strict'({ at, start }) {
    const { said } = start(['--strict'])
    await said('watching')
    writeFileSync(at('warned.epub'), makeBook({ metadata: '<dc:title>Warned</dc:title>' }))
    expect((await said('failed')).error?.code).toBe('book_unfit')
  },
  async '--rules'({ put, at, home, start }) {
    const rules = join(home, 'house.yaml')
    writeFileSync(rules, 'rules: [{ id: house-title, severity: error, check: { title: { not: "^A" } } }]\n')
    const { said } = start(['--rules', rules])
    await said('watching')
    await put('a.epub', 'A')
    expect((await said('failed')).error?.code).toBe('book_unfit')
    await put('b.epub', 'B')
    await said('done', ({ file }) => file === at('b.epub'))
  },
  async '--epubcheck'({ put, at, home, start, receipt }) {
    const { said } = start(['--epubcheck'], { env: { PATH: fakeEpubCheck(join(home, 'programs')) } })
    await said('watching')
    await put('wrong.epub', 'A')
    expect((await said('failed')).error?.code).toBe('book_unfit')
    expect(receipt('failed', 'wrong.epub.receipt.json')).toMatchObject({
      checkedBy: [{ name: 'EPUBCheck', version: '5.3.0' }],
      error: { details: [{ code: 'RSC-099' }] },
    })
    await put('b.epub', 'B')
    await said('done', ({ file }) => file === at('b.epub'))
  },
  async '--no-epubcheck'({ put, folder, home }) {
    const service = await bookService([])
    const { run } = machine({ PATH: fakeEpubCheck(join(home, 'programs')) }, home)
    const key = join(home, 'key')
    writeFileSync(key, service.env.PUBCTL_API_KEY)
    const profile = ['work', '--base-url', service.url, '--api-key-file', key, '--no-verify', '--epubcheck']
    expect((await run(['profile', 'setup', ...profile])).code).toBe(0)
    const codeOf = async (...more: string[]) => {
      await put('wrong.epub', 'A')
      return (await run(['--profile', 'work', 'watch', folder, ...quick, ...more])).code
    }
    expect([await codeOf(), await codeOf('--no-epubcheck')]).toEqual([10, 0])
  },
  async '--concurrency'({ put, folder, home, at }) {
    /** How many files were under way, each time that changed. */
    const open: number[] = []
    const service = await bookService([
      { to: /^PUT .put/, meanwhile: () => open.push((open.at(-1) ?? 0) + 1) },
      { to: /^PUT .put/, delay: 50, meanwhile: () => open.push((open.at(-1) ?? 0) - 1) },
    ])
    const person = { home, baseUrl: service.url, key: service.env.PUBCTL_API_KEY }
    const brief = ['--quiet-period', '20ms', '--scan', '20ms']
    const watcher = startWatcher(folder, person, [...brief, '--concurrency', '1'])
    await watcher.said(({ event }) => event === 'watching')
    for (const name of ['a', 'b', 'c']) await put(`${name}.epub`, name)
    for (const name of ['a', 'b', 'c'])
      await watcher.said(({ event, file }) => event === 'done' && file === at(`${name}.epub`))
    expect(Math.max(...open)).toBe(1)
  },
}

const watch = leaves(root).find(({ path }) => path === 'watch')

it('every option of watch is tried with a watcher that goes on', () => {
  expect(Object.keys(effects).sort()).toEqual(watch?.options.map(({ long }) => long).sort())
})

it.each(share(Object.keys(effects), 4))(
  '%s holds for what comes after the watcher was started',
  async option => {
    await effects[option]?.(watchScene())
  },
)
