import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

/** A machine with a book and a cover, and a way to run a command that must end well. */
async function furnished(env: Record<string, string> = {}) {
  const own = machine(env)
  const at = (name: string) => join(own.home, name)
  writeFileSync(at('book.epub'), await makeExampleEpub({ title: 'Step by Step' }))
  writeFileSync(at('second.epub'), await makeExampleEpub({ title: 'Step by Step, Again' }))
  writeFileSync(at('cover.png'), exampleCover())
  const { run, sandbox } = own
  const ok = async (args: readonly string[], options?: Parameters<typeof run>[1]) => {
    const { code, out, err } = await (env['PUBCTL_BASE_URL'] ? run : sandbox)([...args, '--json'], options)
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' })
    return { text: out, value: JSON.parse(out) }
  }
  return { ...own, at, ok }
}

it('the documented upload procedure can be walked step by step, with a cover', async () => {
  const { at, ok } = await furnished()
  const cover = ['--cover', at('cover.png')]
  const created = await ok(['publications', 'create', at('book.epub'), '--title', 'Own Title', ...cover])
  expect(Object.keys(created.value)).toEqual(['item', 'result'])
  expect(Object.keys(created.value.result.cover)).toContain('uploadUrl')
  writeFileSync(at('created.json'), created.text)
  const sent = await ok(['uploads', 'put', at('book.epub'), '--session', at('created.json'), ...cover])
  expect(sent.value).toMatchObject({ outcome: 'uploaded', cover: at('cover.png') })
  const { value: item } = await ok(['publications', 'wait', created.value.item.id])
  expect(item.editions[0]).toMatchObject({ title: 'Own Title', uploadStatus: 'available' })
  expect(item.editions[0].metadata.cover).toBe(created.value.result.cover.objectKey)

  const more = await ok(['editions', 'create', item.id, at('second.epub')])
  const edition = more.value.item.editions.find(({ id }: { id: string }) => id !== item.editions[0].id)
  await ok(['uploads', 'put', at('second.epub'), '--session', '-'], { stdin: more.text })
  const { value: second } = await ok(['editions', 'wait', item.id, edition.id])
  expect(second).toMatchObject({ title: 'Step by Step, Again', uploadStatus: 'available' })
})

it('an intent may come first, and its request id belongs to the creation', async () => {
  const { at, ok } = await furnished()
  const request = ['--request-id', randomUUID()]
  const intent = await ok(['uploads', 'create', at('book.epub'), '--cover', at('cover.png'), ...request])
  const put = ['uploads', 'put', at('book.epub'), '--session', '-', '--cover', at('cover.png')]
  await ok(put, { stdin: intent.text })
  const created = await ok(['publications', 'create', at('book.epub'), ...request])
  const { value: item } = await ok(['publications', 'wait', created.value.item.id])
  expect(item.editions[0].uploadStatus).toBe('available')
})

/** A service that creates anything, with or without a place for a cover, and keeps what is sent. */
async function recorded(hasCover: boolean) {
  let origin = ''
  const place = (name: string) => ({
    objectKey: name,
    uploadUrl: `${origin}/put/${name}?X-Amz-Signature=5ec4e7`,
    expiresIn: 900,
    requiredHeaders: { 'Content-Type': name === 'cover' ? 'image/png' : 'application/epub+zip' },
  })
  const { url, received } = await serve(({ method }, response) => {
    if (method === 'PUT') return void response.writeHead(200).end()
    const result = { uploadMode: 'single', ...place('book'), ...(hasCover ? { cover: place('cover') } : {}) }
    json(response, 201, { item: { id: 'pub_1', editions: [{ id: 'ed_1' }] }, result, context: {} })
  })
  origin = url
  const own = await furnished({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  return { ...own, url, received }
}

it('publications create makes one request, and uploads put sends the cover and then the book', async () => {
  const { at, ok, received } = await recorded(true)
  const id = randomUUID()
  const about = ['--title', 'T', '--author', 'A', '--language', 'fr', '--metadata', 'pages:=5', '--internal']
  const cover = ['--cover', at('cover.png')]
  const created = await ok([
    'publications',
    'create',
    at('book.epub'),
    '--request-id',
    id,
    ...about,
    ...cover,
  ])
  const body = {
    uploadRequestId: id,
    publicationFilename: 'book.epub',
    edition: { title: 'T', author: ['A'], type: 'EPUB', metadata: { pages: 5 } },
    language: 'French',
    isForInternalReadingInstance: true,
    coverFilename: 'cover.png',
  }
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/publications'])
  expect(JSON.parse(String(received[0]?.body))).toMatchObject(body)
  received.length = 0
  await ok(['uploads', 'put', at('book.epub'), '--session', '-', ...cover], { stdin: created.text })
  expect(
    received.map(({ method, url, headers, body }) => [`${method} ${url}`, headers['content-type'], body]),
  ).toEqual([
    ['PUT /put/cover?X-Amz-Signature=5ec4e7', 'image/png', readFileSync(at('cover.png'))],
    ['PUT /put/book?X-Amz-Signature=5ec4e7', 'application/epub+zip', readFileSync(at('book.epub'))],
  ])
})

it('editions create leaves the language of the publication alone', async () => {
  const { at, ok, received } = await recorded(false)
  const { value } = await ok(['editions', 'create', 'pub_1', at('book.epub')])
  expect(value).toMatchObject({ item: { id: 'pub_1' }, result: { objectKey: 'book' } })
  await ok(['editions', 'create', 'pub_1', at('book.epub'), '--language', 'German'])
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/publications/pub_1/editions',
    'POST /v1/publications/pub_1/editions',
  ])
  const bodies = received.map(({ body }) => JSON.parse(String(body)))
  expect(bodies.map(({ language }) => language)).toEqual([undefined, 'German'])
})

it('a cover without a place, or a place without a cover, is said', async () => {
  const without = await recorded(false)
  const { text } = await without.ok(['publications', 'create', without.at('book.epub')])
  without.received.length = 0
  const put = (own: typeof without, ...more: string[]) =>
    own.run(['uploads', 'put', own.at('book.epub'), '--session', '-', '--json', ...more], { stdin: text })
  const refused = await put(without, '--cover', without.at('cover.png'))
  expect({ code: refused.code, error: JSON.parse(refused.err).error.code }).toEqual({
    code: 2,
    error: 'no_place_for_cover',
  })
  expect(without.received).toEqual([])
  const asked = await without.run([
    ...['publications', 'create', without.at('book.epub'), '--cover', without.at('cover.png')],
    '--json',
  ])
  expect(JSON.parse(asked.err).warning.code).toBe('no_place_for_cover')

  const withCover = await recorded(true)
  const session = (await withCover.ok(['publications', 'create', withCover.at('book.epub')])).text
  const sent = await withCover.run(
    ['uploads', 'put', withCover.at('book.epub'), '--session', '-', '--json'],
    { stdin: session },
  )
  expect({ code: sent.code, warning: JSON.parse(sent.err).warning.code }).toEqual({
    code: 0,
    warning: 'cover_not_sent',
  })
})

it('a creation whose answer is lost says how to make it again', async () => {
  const { url } = await serve((_, response) =>
    json(response, 500, { error: 'INTERNAL_ERROR', message: 'no', context: {} }),
  )
  const own = await furnished({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const id = randomUUID()
  const { code, err } = await own.run([
    'publications',
    'create',
    own.at('book.epub'),
    '--request-id',
    id,
    '--json',
  ])
  expect({ code, hint: JSON.parse(err).error.hint }).toEqual({
    code: 8,
    hint: `Run it again with --request-id ${id}, so that nothing is made twice.`,
  })
})

it('uploads create looks for the cover that it asks a place for', async () => {
  const { at, run, received } = await recorded(true)
  const { code, err } = await run(['uploads', 'create', at('book.epub'), '--cover', at('nothing.jpg')])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('there is no such file') })
  expect(received).toEqual([])
})

it('--dry-run sends nothing of either step', async () => {
  const { at, run, received, ok } = await recorded(true)
  const { text } = await ok(['publications', 'create', at('book.epub')])
  received.length = 0
  const dry = async (args: string[], options = {}) =>
    JSON.parse((await run([...args, '--dry-run', '--json'], options)).out)
  const [creation] = await dry(['publications', 'create', at('book.epub')])
  expect(creation).toMatchObject({ method: 'POST', body: { publicationFilename: 'book.epub' } })
  const puts = await dry(['uploads', 'put', at('book.epub'), '--session', '-', '--cover', at('cover.png')], {
    stdin: text,
  })
  expect(puts.map(({ body }: { body: { file: string } }) => body.file)).toEqual([
    at('cover.png'),
    at('book.epub'),
  ])
  expect(received).toEqual([])
})
