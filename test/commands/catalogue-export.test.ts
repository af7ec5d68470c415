import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { listedService } from '../support/servers/listed-service.ts'
import { sandbox } from '../support/servers/sandbox.ts'

async function scene(options: Parameters<typeof listedService>[0]) {
  const service = await listedService(options)
  const { run } = machine(service.env)
  const folder = temporaryFolder()
  return { ...service, run, folder, export: (...args: string[]) => run(['catalogue', 'export', ...args]) }
}

describe('catalogue export', () => {
  it('prints a sheet with the publications, each with its id and the values that a plan compares', async () => {
    const own = machine()
    const book = join(temporaryFolder(), 'book.epub')
    writeFileSync(book, await makeExampleEpub({ cover: false, title: '=SUM(A1), "quoted"' }))
    await own.sandbox(['metadata-keys', 'create', 'a.b'])
    const { out: uploaded } = await own.sandbox([
      ...[
        'publications',
        'upload',
        book,
        '--author',
        'A; B',
        '--author',
        'C, D',
        '--isbn',
        '978-3-16-148410-0',
      ],
      ...['--metadata', 'a.b:=5', '--internal', '--description', 'One\ntwo', '--json'],
    ])
    const { publicationId } = JSON.parse(uploaded)
    const { code, out } = await own.sandbox(['catalogue', 'export'])
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        'publicationId,key,file,title,author,language,description,isbn,publisher,metadata,collection,sample-item,internal',
        `${publicationId},,,"'=SUM(A1), ""quoted""","A\\; B; C, D",English,"One\ntwo",9783161484100,Sandbox Press,a.b:=5,,,yes`,
        '',
      ].join('\n'),
    })
    const { out: records } = await own.sandbox([
      'catalogue',
      'export',
      '--json',
      '--fields',
      'publicationId,metadata',
    ])
    expect(JSON.parse(records)).toEqual([{ publicationId, metadata: { 'a.b': 5 } }])
  })

  it.each(share(['books.csv', 'books.yaml', 'books.json'], 3))(
    'writes %s, in which a plan finds nothing to do',
    async name => {
      const { baseUrl, key, publish, ok } = await sandbox()
      for (const each of ['a.b', 'n', 'list']) await ok('POST', '/v1/resources/metadata-keys', { key: each })
      const odd = [
        {
          title: '=1+1, "x"; y\nz',
          author: ['A; B', 'C, D', 'E\\;F'],
          metadata: { 'a.b': 'x; y=z', n: 5, list: ['1;2'] },
        },
        { title: "'-5", metadata: { isbn: '978-3-16-148410-0', publisher: '', note: 'of no key' } },
        // Another publication of the same ISBN and title.
        { title: "'-5", metadata: { isbn: '9783161484100' } },
      ]
      const more = {
        description: '@one, "two"\r\n\tthree',
        sampleItems: ['a;b', 'c'],
        isForInternalReadingInstance: true,
      }
      for (const edition of odd)
        await publish({ edition, language: 'German', collectionIds: ['c;1', 'c2'], ...more })
      await publish({})
      const { run } = machine({ PUBCTL_API_KEY: key('full'), PUBCTL_BASE_URL: baseUrl })
      const sheet = join(temporaryFolder(), name)
      expect((await run(['catalogue', 'export', '--out', sheet])).code).toBe(0)
      const { code, out } = await run(['catalogue', 'plan', sheet, '--detailed-exitcode', '--json'])
      const steps: { action: string }[] = JSON.parse(out)
      expect({ code, actions: steps.map(({ action }) => action) }).toEqual({
        code: 0,
        actions: ['skip', 'skip', 'skip', 'skip'],
      })
      // And in a sheet that was changed, just that is to be done.
      const changed = readFileSync(sheet, 'utf8').replace('@one', '@another')
      writeFileSync(sheet, changed)
      const again = await run(['catalogue', 'plan', sheet, '--detailed-exitcode', '--json'])
      const updates = (JSON.parse(again.out) as { action: string; fields: string[] }[]).filter(
        ({ action }) => action !== 'skip',
      )
      expect({ code: again.code, updates }).toMatchObject({
        code: 14,
        updates: [{ action: 'update', fields: ['description'] }],
      })
    },
  )

  it.runIf(isSlow)(
    'writes CSV, YAML or JSON by the name of the file, and says how many there are',
    async () => {
      const { export: write, folder } = await scene({ count: 130 })
      const sheets: Record<string, string> = {}
      for (const name of ['books.csv', 'books.yaml', 'books.json']) {
        const file = join(folder, name)
        const { code, out } = await write('--out', file, '--json')
        expect({ code, ...JSON.parse(out) }).toEqual({ code: 0, file, publications: 130, leftOut: 0 })
        sheets[name] = readFileSync(file, 'utf8')
      }
      expect(sheets['books.csv']?.split('\n')).toHaveLength(132)
      expect(JSON.parse(sheets['books.json'] ?? '')).toHaveLength(130)
      expect(JSON.parse(sheets['books.json'] ?? '')[2]).toMatchObject({
        publicationId: 'pub_10',
        title: 'Book 10',
      })
      expect(sheets['books.yaml']?.match(/^- publicationId: /gm)).toHaveLength(130)
      expect(readdirSync(folder)).toHaveLength(3)
    },
  )

  it('reads from the service only what is new or was changed since the last time', async () => {
    const { export: write, folder, requests, changed, removed, add } = await scene({ count: 130 })
    const file = join(folder, 'books.json')
    await write('--out', file)
    expect(requests()).toEqual({ pages: 3, reads: 130 })
    await write('--out', file)
    expect(requests()).toEqual({ pages: 3, reads: 0 })
    changed.set('pub_1', { title: 'Another title' })
    changed.set('pub_2', { editionId: 'ed_new', description: 'Of the new edition' })
    changed.set('pub_3', { uploadStatus: 'uploaded' })
    removed.add('pub_4')
    add(2)
    const { code, out } = await write('--out', file)
    expect({ code, out }).toEqual({ code: 0, out: `${file}\t131\t0\n` })
    expect(requests()).toEqual({ pages: 3, reads: 6 })
    const rows: { publicationId: string; title: string; description: string }[] = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const row = (id: string) => rows.find(({ publicationId }) => publicationId === id)
    expect(row('pub_1')?.title).toBe('Another title')
    expect(row('pub_2')?.description).toBe('Of the new edition')
    expect([row('pub_4'), row('pub_131')?.title]).toEqual([undefined, 'Book 131'])
  })

  it('leaves out what has no book, and says so', async () => {
    const { export: write, changed } = await scene({ count: 3 })
    changed.set('pub_1', { uploadStatus: 'upload_quarantine' })
    const { code, out, err } = await write()
    expect(code).toBe(0)
    expect(out).not.toContain('pub_1')
    expect(err).toContain('warning: all uploads of pub_1 have failed, so it has no row')
  })

  it('ends with 10 where a value cannot be said in the sheet, and writes the rest', async () => {
    const { export: write, changed, folder } = await scene({ count: 3 })
    changed.set('pub_1', { metadata: { 'a=b': 'x' }, title: 'zero\u200bwidth' })
    const { code, out, err } = await write('--fields', 'publicationId', '-o', 'csv')
    expect({ code, out }).toEqual({ code: 0, out: 'publicationId\npub_0\npub_1\npub_2\n' })
    expect(err).toBe('')
    const printed = await write()
    expect(printed.code).toBe(10)
    expect(printed.out).toContain('pub_1,,,,')
    expect(printed.err).toContain(
      'pub_1: the sheet cannot say its metadata.a=b, title exactly, and leaves it out',
    )
    expect(printed.err).toContain('A sheet in JSON says more: --out books.json')
    // A file may have any character, but no pair has such a key.
    const file = join(folder, 'books.csv')
    const written = await write('--out', file)
    expect({ code: written.code, hasTitle: readFileSync(file, 'utf8').includes('zero\u200bwidth') }).toEqual({
      code: 10,
      hasTitle: true,
    })
    expect((await write('--out', join(folder, 'books.json'))).code).toBe(0)
  })

  it('writes what is listed of a publication that cannot be read, and ends with 10', async () => {
    const body = { error: 'ACCOUNT_RESTRICTED', message: 'not yours', context: {} }
    const { export: write } = await scene({ count: 3, faults: { to: /pub_1$/, status: 403, body } })
    const { code, out, err } = await write()
    expect(code).toBe(10)
    expect(out).toContain('\npub_1,,,Book 1,"A. Writer; Another Writer",,,,,,,,\n')
    expect(err).toContain('pub_1')
  })

  it('keeps numbers that JavaScript would round', async () => {
    const metadata = '{"long": 12345678901234567890, "short": 7}'
    const body = `{"item": {"id": "pub_0", "editions": [{"id": "ed_0", "metadata": ${metadata}}]}, "context": {}}`
    const { export: write } = await scene({ count: 1, faults: { to: /pub_0$/, status: 200, body } })
    const { code, out, err } = await write('--json')
    expect({ code, rows: JSON.parse(out) }).toMatchObject({ code: 10, rows: [{ metadata: { short: 7 } }] })
    expect(JSON.parse(err).error.details).toMatchObject([{ path: ['pub_0'], code: 'not_in_sheet' }])
    // Kept as it came, so that the next time nothing is read.
    expect((await write('--json', '--fields', 'publicationId')).code).toBe(10)
  })

  it('works at a service that gives back nothing but ids', async () => {
    const { export: write, run, folder } = await scene({ count: 2, isBare: true })
    const { code, out } = await write('--json')
    const sheet = join(folder, 'books.json')
    writeFileSync(sheet, out)
    expect((await run(['catalogue', 'plan', sheet, '--detailed-exitcode'])).code).toBe(0)
    expect({ code, rows: JSON.parse(out) }).toEqual({
      code: 0,
      rows: ['0', '1'].map(number => ({
        publicationId: `pub_${number}`,
        title: `Book ${number}`,
        author: ['A. Writer', 'Another Writer'],
      })),
    })
  })

  it('refuses a file that it cannot write before it asks the service, and leaves the old one', async () => {
    const { export: write, folder, log } = await scene({ count: 2 })
    mkdirSync(join(folder, 'a.csv'))
    writeFileSync(join(folder, 'target'), 'kept')
    symlinkSync(join(folder, 'target'), join(folder, 'b.csv'))
    for (const [name, why] of [
      ['a.csv', 'it is a folder'],
      ['b.csv', 'it is a symbolic link'],
      ['none/c.csv', 'its folder does not exist'],
    ] as const) {
      const { code, err } = await write('--out', join(folder, name))
      expect({ code, says: err.includes(why) }).toEqual({ code: 2, says: true })
    }
    expect({ kept: readFileSync(join(folder, 'target'), 'utf8'), log }).toEqual({ kept: 'kept', log: [] })
  })

  it('asks for nothing and writes nothing with --dry-run', async () => {
    const { export: write, folder, log } = await scene({ count: 2 })
    const { code, out } = await write('--out', join(folder, 'books.csv'), '--dry-run', '--json')
    expect({ code, log, files: readdirSync(folder) }).toEqual({ code: 0, log: [], files: [] })
    expect(JSON.parse(out)).toEqual([{ method: 'WRITE', url: `file:${join(folder, 'books.csv')}` }])
  })
})
