import { describe, expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

const context = { path: '/', method: 'GET', requestId: 'r', authentication: { sub: 's', scopeId: 'x' } }

/** A service that gives every request the same answer. */
async function answering(body: object) {
  const { url, received } = await serve((_, response) => json(response, 200, { context, ...body }))
  const { run } = machine({ PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length' })
  return { run, received }
}

describe('a request', () => {
  it.each([
    [['domains', 'create', ''], 'domain'],
    [['domains', 'create', '', '--dry-run'], 'domain'],
    [['assets', 'rename', 'a1', ''], 'filename'],
    [['metadata-keys', 'create', ''], 'key'],
  ])('that the contract does not take is not sent: %j', async (args, field) => {
    const { run, received } = await answering({ item: {} })
    const { code, out, err } = await run([...args, '--json'])
    const { error } = JSON.parse(err)
    expect({ code, out, errorCode: error.code }).toEqual({ code: 2, out: '', errorCode: 'invalid_request' })
    expect(error.message).toMatch(/^the service would not take this: (?:POST|PATCH) \/v1\/[a-z/{}-]+$/)
    expect(error.hint).toBe(
      'Nothing was sent. Correct what is named above; --help shows what each option takes.',
    )
    const message = 'Too small: expected string to have >=1 characters'
    expect(error.details).toEqual([{ message, path: [field], code: 'too_small', flag: `<${field}>` }])
    expect(received).toEqual([])
  })
})

describe('an answer of a wholly wrong shape', () => {
  const list = ['domains', 'list', '--json']
  it.each([
    ['items that is no list', list, { items: { id: 'd1' } }],
    ['items that is no list', list, { items: 'none' }],
    ['items.1 that is no object', list, { items: [{ id: 'd1' }, 'd2'] }],
    ['no items', list, { message: 'hello' }],
    ['item that is no object', ['domains', 'get', 'd1', '--json'], { item: ['d1'] }],
    ['items.0.readerInstanceIds that is no list', list, { items: [{ readerInstanceIds: 'ri_1' }] }],
    [
      'items.2.readerInstanceIds that is no list',
      list,
      { items: [{ id: 'd1' }, { readerInstanceIds: [1, null] }, { readerInstanceIds: {} }] },
    ],
    ['items.1 that is no object', ['analytics', 'popular', '--json'], { items: [{ publicationId: 'p' }, 7] }],
    [
      'item.editions.0.author that is no list',
      ['publications', 'get', 'p1', '--json'],
      { item: { editions: [{ author: 'Ada' }] } },
    ],
    [
      'item.configuration that is no object',
      ['reader-instances', 'get', 'r1', '--json'],
      { item: { configuration: 'text' } },
    ],
    ['result that is no object', ['users', 'delete-me', '--yes', '--json'], { result: 'done' }],
    ['result that is no object', ['users', 'delete-me', '--yes', '--json'], { result: ['done'] }],
    ['item.editions that is no list', ['publications', 'get', 'p1', '--json'], { item: { editions: {} } }],
  ])('is told as one: %s', async (trouble, args, body) => {
    const { run } = await answering(body)
    const { code, out, err } = await run(args)
    const { error } = JSON.parse(err)
    expect({ code, errorCode: error.code }).toEqual({ code: 8, errorCode: 'bad_reply' })
    expect(error.hint).toBe(
      'Check that the address is the one of the service; another service may have answered in its place.',
    )
    expect(error.message).toMatch(
      new RegExp(`^the service at http://127.0.0.1:\\d+ answered with ${trouble}$`),
    )
    expect(out.trim().replace(/\s/g, '')).toMatch(/^(\[\])?$/)
  })
})

describe('an answer that says more, less or other than the contract', () => {
  it.each([
    ['a further field', { id: 'd1', colour: 'red', nested: { deep: [1] } }],
    ['null in every field', { id: null, domain: null, isInUse: null, readerInstanceIds: null }],
    ['no field at all', {}],
    ['values of other types', { id: 17, domain: true, isInUse: 'yes', createdAtIso: 1_700_000_000 }],
    ['texts that look like something else', { id: '007', domain: 'true', isInUse: false }],
  ])('passes untouched: %s', async (_, item) => {
    const { run } = await answering({ items: [item], further: 1 })
    const { code, out, err } = await run(['domains', 'list', '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toEqual([item])
  })

  it.each([
    ['text for an object within', ['reader-instances', 'get', 'r1'], { configuration: { layout: 'text' } }],
    [
      'null for an object and a list',
      ['reader-instances', 'get', 'r1'],
      { configuration: null, permittedDomains: null },
    ],
    ['a number among the editions', ['publications', 'get', 'p1'], { editions: [{ metadata: 'text' }, 7] }],
  ])('passes with %s', async (_, args, item) => {
    const { run } = await answering({ item })
    const { code, out, err } = await run([...args, '--json'])
    expect({ code, err, item: JSON.parse(out) }).toEqual({ code: 0, err: '', item })
  })

  it('passes with null among its items', async () => {
    const items = [null, { id: 'd1' }]
    const { run } = await answering({ items })
    expect(JSON.parse((await run(['domains', 'list', '--json'])).out)).toEqual(items)
  })

  it('passes with a value that no enumeration has', async () => {
    const item = { id: 'key_1', status: 'sleeping', scopes: ['read', 'dream'] }
    const { run } = await answering({ items: [item] })
    expect(JSON.parse((await run(['apikeys', 'list', '--json'])).out)).toEqual([item])
  })

  it.each([
    ['no context', { context: undefined }],
    ['null for its items', { items: null }],
    ['a context of another shape', { context: 'none' }],
  ])('passes with %s', async (_, more) => {
    const { run } = await answering({ items: [], ...more })
    expect(await run(['domains', 'list', '--json'])).toMatchObject({ code: 0 })
  })
})
