import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'
import { json, serve } from '../support/servers/server.ts'

it('--metadata sends text, numbers and booleans as they are written', async () => {
  let sent: unknown
  const service = await bookService({
    to: 'POST /v1/publications',
    meanwhile: ({ body }) => {
      sent = JSON.parse(String(body)).edition.metadata
    },
  })
  const { run, home } = machine(service.env)
  const book = join(home, 'book.epub')
  writeFileSync(book, await makeExampleEpub())
  const pairs = ['pages:=5', 'isNew:=true', 'number=5', 'list:=["a","b"]', 'formula=a=b', 'isbn=1']
  const { code, err } = await run([
    ...['publications', 'upload', book, '--json'],
    ...pairs.flatMap(pair => ['--metadata', pair]),
  ])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const given = { pages: 5, isNew: true, number: '5', list: ['a', 'b'], formula: 'a=b', isbn: '1' }
  expect(sent).toMatchObject(given)
})

it('numbers and booleans come back from the list of what failed', async () => {
  const { url, received } = await serve((_, response) =>
    json(response, 400, { error: 'INVALID_REQUEST', message: 'no', context: {} }),
  )
  const { run, home } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const books = await Promise.all(
    ['one', 'two'].map(async title => {
      const path = join(home, `${title}.epub`)
      writeFileSync(path, await makeExampleEpub({ title }))
      return path
    }),
  )
  const report = join(home, 'report.json')
  const metadata = ['--metadata', 'pages:=5', '--metadata', 'isNew:=false', '--metadata', 'number=5']
  expect((await run(['publications', 'upload', ...books, '--report', report, ...metadata])).code).toBe(10)
  const failed = join(home, 'failed.csv')
  expect(readFileSync(failed, 'utf8')).toContain('pages:=5; isNew:=false; number=5')
  received.length = 0
  await run(['publications', 'upload', '--manifest', failed, '--report', join(home, 'again.json')])
  const sent = received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(String(body)))
  expect(sent).toHaveLength(2)
  for (const { edition } of sent)
    expect(edition.metadata).toMatchObject({ pages: 5, isNew: false, number: '5' })
})

it('a sheet in JSON keeps the types of its metadata', async () => {
  let sent: unknown
  const service = await bookService({
    to: 'POST /v1/publications',
    meanwhile: ({ body }) => {
      sent = JSON.parse(String(body)).edition.metadata
    },
  })
  const { run, home } = machine(service.env)
  writeFileSync(join(home, 'book.epub'), await makeExampleEpub())
  const sheet = join(home, 'sheet.json')
  const metadata = { pages: 5, isNew: true, number: '5' }
  writeFileSync(sheet, JSON.stringify([{ file: 'book.epub', metadata }]))
  const { code, err } = await run(['publications', 'upload', '--manifest', sheet, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(sent).toMatchObject(metadata)
})

it.each([
  { pairs: ['pages:=five'], message: '--metadata: "five" is not JSON' },
  { pairs: [':=5'], message: '--metadata: ":=5" is not of the form key=value' },
  { pairs: ['a=1', 'a=2'], message: '--metadata: "a" is given twice' },
  {
    pairs: ['a:=12345678901234567890'],
    message: '--metadata: "12345678901234567890" has a number that is too large to be sent exactly',
  },
  { pairs: ['a:=1e400'], message: '--metadata: "1e400" has a number that is too large to be sent exactly' },
])('--metadata $pairs is refused', async ({ pairs, message }) => {
  const args = ['publications', 'upload', 'x.epub', '--json', ...pairs.flatMap(pair => ['--metadata', pair])]
  const { code, err } = await machine().run(args)
  expect({ code, message: JSON.parse(err).error.message }).toEqual({ code: 2, message })
})

it('api takes fields as text or as JSON, and parameters several times', async () => {
  const { url, received } = await serve((_, response) => json(response, 200, { item: {}, context: {} }))
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const fields = ['--field', 'isbn=9783161484100', '--field', 'limit:=5', '--field', 'isOn:=true']
  await run(['api', 'POST', '/v1/domains', '--param', 'a=1', '--param', 'a=2', ...fields])
  expect(received.map(({ url, body }) => [url, JSON.parse(String(body))])).toEqual([
    ['/v1/domains?a=1&a=2', { isbn: '9783161484100', limit: 5, isOn: true }],
  ])
  const { err } = await run(['api', 'POST', '/v1/domains', '--field', 'a=1', '--field', 'a=2'])
  expect(err).toMatch(/^error: --field: "a" is given twice\n/)
})
