import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

/** A folder with books `a.epub`, `b.epub` and so on. */
async function library(names = ['a.epub', 'b.epub', 'c.epub']): Promise<string> {
  const folder = temporaryFolder()
  for (const name of names) writeFileSync(join(folder, name), await makeExampleEpub({ title: `The ${name}` }))
  return folder
}

async function planned(folder: string, name: string, content: string | Buffer, more: readonly string[] = []) {
  const path = join(folder, name)
  writeFileSync(path, content)
  const args = ['publications', 'upload', '--manifest', path, '--dry-run', '--json', ...more]
  const { code, out, err } = await machine().sandbox(args)
  type Planned = { method: string; body: Record<string, unknown> & { edition: Record<string, unknown> } }
  return {
    code,
    error: err === '' ? undefined : JSON.parse(err).error,
    bodies: (out === ''
      ? []
      : (JSON.parse(out) as { requests: Planned[] }[]).flatMap(({ requests }) => requests)
    )
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => body),
  }
}

describe('a sheet', () => {
  it('says of each book what its columns say, and the command line the rest', async () => {
    const folder = await library()
    const csv = [
      'file,title,author,isbn,publisher,metadata,metadata.series,language,internal,cover',
      'a.epub,"One, or ""None""",Ada; Bob,978-3-16-148410-0,P,"x=1; y=2",S,fr-CA,yes,none',
      'b.epub,,"Fox\\; Sons; Q",,,,,,,',
    ].join('\r\n')
    const { code, bodies } = await planned(folder, 'books.csv', csv, ['--publisher', 'Q', '--cover', 'none'])
    expect(code).toBe(0)
    expect(bodies[0]).toMatchObject({
      publicationFilename: 'a.epub',
      language: 'French',
      isForInternalReadingInstance: true,
      edition: {
        title: 'One, or "None"',
        author: ['Ada', 'Bob'],
        metadata: { isbn: '9783161484100', publisher: 'P', x: '1', y: '2', series: 'S' },
      },
    })
    expect(bodies[1]?.edition).toMatchObject({
      title: 'The b.epub',
      author: ['Fox; Sons', 'Q'],
      metadata: { publisher: 'Q' },
    })
  })

  it.each([
    [
      'books.json',
      '[{"file":"a.epub","title":"T","author":["A; B"],"isbn":9783161484100,"metadata":{"k":"v"}}]',
    ],
    [
      'books.yaml',
      '- file: a.epub\n  title: T\n  author: ["A; B"]\n  isbn: 9783161484100\n  metadata: {k: v}\n',
    ],
    ['tabs.csv', 'File\tTITLE\tauthor\tisbn\tmetadata.k\na.epub\tT\tA\\; B\t9783161484100\tv\n'],
    ['semicolons.csv', '\uFEFFfile;title;author;isbn;metadata.k\na.epub;T;A\\; B;9783161484100;v\n;;;;\n'],
  ])('may be %s', async (name, content) => {
    const sayA = content.replace('A\\; B\t', '"A\\; B"\t').replace('A\\; B;', '"A\\; B";')
    const { code, error, bodies } = await planned(await library(), name, sayA)
    expect({ code, error }).toEqual({ code: 0, error: undefined })
    expect(bodies).toHaveLength(1)
    expect(bodies[0]?.edition).toMatchObject({
      title: 'T',
      author: ['A; B'],
      metadata: { isbn: '9783161484100', k: 'v' },
    })
  })

  it('names every fault with its row and column at once, and sends nothing', async () => {
    const csv = [
      'file,title,isbn,internal,cover,metadata,colour,title',
      'a.epub,"one',
      'two",9.78E+12,,,,,',
      'missing.epub,T,9783161484101,perhaps,gone.png,novalue,,',
      ',,978030000000000,,,,,',
      'b.epub,T',
      'c.epub,T,9780000000000,,,,,',
    ].join('\n')
    const { code, error, bodies } = await planned(await library(), 'bad.csv', csv)
    expect({ code, bodies, errorCode: error.code }).toEqual({
      code: 2,
      bodies: [],
      errorCode: 'bad_manifest',
    })
    const faults = error.details.map(({ path, message }: { path: string[]; message: string }) => [
      path.join(' '),
      message,
    ])
    expect(faults).toEqual([
      ['row 1 colour', expect.stringContaining('no column')],
      ['row 1 title', expect.stringContaining('two columns')],
      ['row 2 isbn', expect.stringMatching(/a spreadsheet turned the ISBN into 9\.78E\+12/)],
      ['row 3 file', expect.stringContaining('missing.epub')],
      ['row 3 cover', expect.stringContaining('gone.png')],
      ['row 3 isbn', expect.stringContaining('not an ISBN')],
      ['row 3 metadata', expect.stringContaining('key=value')],
      ['row 3 internal', expect.stringContaining('neither yes nor no')],
      ['row 4 file', 'names no file'],
      ['row 4 isbn', expect.stringContaining('not an ISBN')],
      ['row 5', expect.stringContaining('has 2 cells, and the header has 8')],
      ['row 6 isbn', expect.stringMatching(/a spreadsheet/)],
    ])
  })

  it.each<[string, string, string | Buffer, RegExp]>([
    ['in an old encoding', 'x.csv', Buffer.from('file,title\na.epub,Caf\xe9\n', 'latin1'), /not UTF-8/],
    ['without the column of files', 'x.csv', 'title\nT\n', /has a fault/],
    ['that is empty', 'x.csv', '', /names no books/],
    ['that is an ONIX message', 'x.csv', '<?xml version="1.0"?>\n<ONIXMessage/>', /is XML, not a sheet/],
    ['that is broken', 'x.json', '[{"file":', /cannot be read/],
    ['that is no list', 'x.yaml', 'file: a.epub\n', /not a list/],
    ['whose quotation mark never ends', 'x.csv', 'file,title\na.epub,"T\n', /cannot be read/],
  ])('%s is refused in words', async (_, name, content, words) => {
    const { code, error } = await planned(await library(), name, content)
    expect({ code, errorCode: error.code }).toEqual({ code: 2, errorCode: 'bad_manifest' })
    expect(error.message).toMatch(words)
  })

  it('is refused with few words, whatever the length of the name of a column', async () => {
    const folder = await library()
    const { code, error } = await planned(folder, 'books.csv', `file,${'x'.repeat(100_000)}\na.epub,1\n`)
    expect(code).toBe(2)
    expect(error.details).toEqual([
      { message: 'there is no column of this name', path: ['row 1', '…'], code: 'bad_cell' },
    ])
  })

  it('of JSON with a number that would be rounded is refused', async () => {
    const rows = `[{"file":"a.epub","title":12345678901234567890,"metadata":{"a":9007199254740991,"b":[-9007199254740992]}},
      {"file":"b.epub","metadata.c":1e400}]`
    const { code, error } = await planned(await library(), 'x.json', rows)
    expect({ code, errorCode: error.code }).toEqual({ code: 2, errorCode: 'bad_manifest' })
    const message = 'has a number that is too large to be read exactly; write it as text, in quotation marks'
    expect(error.details).toEqual(
      [
        ['item 1', 'title'],
        ['item 1', 'metadata'],
        ['item 2', 'metadata.c'],
      ].map(path => ({ path, message, code: 'bad_cell' })),
    )
    const exact = '[{"file":"a.epub","metadata":{"a":9007199254740991}}]'
    const { bodies } = await planned(await library(), 'y.json', exact)
    expect(bodies[0]?.edition['metadata']).toMatchObject({ a: 9007199254740991 })
  })

  it('of an old encoding is read if it is named, and the name belongs to a sheet', async () => {
    const old = Buffer.from('file,title\na.epub,Caf\xe9 \x96 \x80 5\n', 'latin1')
    const folder = await library()
    const { bodies } = await planned(folder, 'old.csv', old, ['--encoding', 'windows-1252'])
    expect(bodies[0]?.edition['title']).toBe('Café – € 5')
    const { code, err } = await machine().sandbox(['publications', 'upload', folder, '--encoding', 'latin1'])
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('--encoding belongs to a sheet'),
    })
  })

  it('has no columns that only a catalogue has', async () => {
    const { error } = await planned(await library(), 'x.csv', 'file,key\na.epub,k\n')
    expect(error.details).toMatchObject([
      { path: ['row 1', 'key'], message: 'only a catalogue has this column' },
    ])
  })

  it('of UTF-16, as spreadsheets write Unicode text, is read', async () => {
    const text = Buffer.from('\uFEFFfile\ttitle\r\na.epub\tÉtude 書\r\n', 'utf16le')
    const { bodies } = await planned(await library(), 'unicode.csv', text)
    expect(bodies[0]?.edition['title']).toBe('Étude 書')
  })
})

describe('failed.csv', () => {
  it('brings the very same uploads about, wherever it lies and whatever is in it', async () => {
    // Windows has no names with a quotation mark or a line break.
    const odd = process.platform === 'win32' ? 'semi;colon.epub' : 'semi;colon, "quoted"\nline.epub'
    const names = [' leading blank.epub', odd, "'=1+1.epub"]
    const folder = await library(names)
    const elsewhere = join(folder, 'reports')
    mkdirSync(elsewhere)
    let isFailing = true
    const bodies: string[] = []
    const { url } = await serve(({ method, body }, response) => {
      if (method !== 'POST') return json(response, 200, { items: [], context: {} })
      const { uploadRequestId: _, ...said } = JSON.parse(body.toString())
      bodies.push(JSON.stringify(said))
      if (isFailing) return json(response, 400, { error: 'INVALID_REQUEST', message: '=No, "never"; no.' })
      return json(response, 400, { error: 'INVALID_REQUEST', message: 'seen' })
    })
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const wishes = ['--author', 'Fox; Sons \\ Co', '--author', '=cmd()', '--description', "'=x\nsecond line"]
    const more = ['--metadata', 'a=b;c=d', '--collection', 'c;1', '--sample-item', '-s', '--internal']
    const first = await run([
      ...['publications', 'upload', ...names.map(name => join(folder, name))],
      ...[...wishes, ...more, '--report', join(elsewhere, 'r.json'), '--cover', 'none'],
    ])
    expect(first.code).toBe(10)
    expect(bodies).toHaveLength(3)
    const failed = join(elsewhere, 'failed.csv')
    expect(first.err).toContain(`--manifest ${failed}`)
    expect(readFileSync(failed, 'utf8')).not.toMatch(/(^|[,\n])[=+@-]/)

    isFailing = false
    const before = bodies.splice(0).sort()
    await run(['publications', 'upload', '--manifest', failed, '--report', join(elsewhere, 'r.json')])
    expect(bodies.sort()).toEqual(before)
  })

  it('is fed back in by a line that is for the same profile', async () => {
    const folder = temporaryFolder()
    for (const name of ['one.epub', 'two.epub']) writeFileSync(join(folder, name), 'no book')
    const report = ['--report', join(folder, 'r.json')]
    const { code, err } = await machine().sandbox(['publications', 'upload', folder, ...report])
    expect(code).toBe(10)
    const line = `pubctl --profile sandbox publications upload --manifest ${join(folder, 'failed.csv')}`
    expect(err).toContain(`try it again with: ${line}\n`)
  })

  it.each(['', '\ufeff'])('takes the place of an earlier one, be it of Windows (%j)', async mark => {
    const folder = await library(['one.epub'])
    writeFileSync(join(folder, 'two.epub'), 'no book')
    const failed = join(folder, 'failed.csv')
    const upload = ['publications', 'upload', folder, '--report', join(folder, 'r.json')]
    const { sandbox } = machine()
    expect((await sandbox(upload)).code).toBe(10)
    const text = readFileSync(failed, 'utf8')
    writeFileSync(failed, mark + text.replace('\ufeff', ''))
    const { code, err } = await sandbox(upload)
    expect({ code, err }).toEqual({ code: 10, err: expect.not.stringContaining('cannot write') })
    expect(readFileSync(failed, 'utf8')).toBe(text)
  })

  it("never takes the place of a person's own file", async () => {
    const folder = await library()
    const own = join(folder, 'failed.csv')
    writeFileSync(own, 'my,own\n1,2\n')
    const { url } = await serve((_, response) =>
      json(response, 400, { error: 'INVALID_REQUEST', message: 'No.' }),
    )
    const { code, err } = await machine({
      PUBCTL_API_KEY: 'canary-key-0123456789',
      PUBCTL_BASE_URL: url,
    }).run(['publications', 'upload', folder, '--report', join(folder, 'r.csv')])
    expect(code).toBe(10)
    expect(err).toMatch(/cannot write .*failed\.csv: EEXIST/)
    expect(readFileSync(own, 'utf8')).toBe('my,own\n1,2\n')
  })
})
