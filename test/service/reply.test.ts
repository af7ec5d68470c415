import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

/** What a command prints as its error where the service answers like this, and how often it asked. */
async function errorFor(answer: (response: ServerResponse) => unknown, args = ['domains', 'get', 'd1']) {
  const { url, received } = await serve((_, response) => void answer(response))
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const { err } = await run([...args, '--json'], { clock: sleeplessClock() })
  const { error } = JSON.parse(err.trim().split('\n').at(-1) as string)
  return { ...error, message: error.message.replaceAll(url, 'URL'), requests: received.length }
}

const refused = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  errorFor(response => json(response, status, body, headers))

describe('the hint of an error', () => {
  it.each([
    [401, 'AUTHENTICATION_ERROR', /^Check which key is used with "pubctl doctor"/],
    [403, 'FORBIDDEN', /^The key may lack the scope for this; "pubctl whoami" shows its scopes\.$/],
    [403, 'ACCOUNT_RESTRICTED', /^The account is restricted, whatever the key may do/],
    [404, 'EMPTY_RESPONSE', /^Check the id; the matching "list" command shows those that exist\.$/],
    [429, 'RATE', /^There were too many requests, also after pubctl slowed down\. Try again later/],
    [500, 'DB_ERROR', /^The service has a problem; try again, and if it remains, report the request id\.$/],
    [599, 'ODD', /^The service has a problem/],
    // A name that every object has is no code with a hint of its own.
    [404, 'constructor', /^Check the id;/],
  ])('%i %s says what to do', async (status, error, hint) => {
    expect(await refused(status, { error, message: 'No.' })).toMatchObject({
      code: error,
      status,
      message: 'No.',
      hint: expect.stringMatching(hint),
    })
  })

  it('is none where nothing is known to do', async () => {
    expect(await refused(409, { error: 'CONFLICT', message: 'No.' })).toMatchObject({ hint: null })
  })
})

describe('the words of an error', () => {
  it.each<[string, unknown, object]>([
    [
      'of a body that is no object',
      ['no'],
      { message: 'the service at URL answered 400 without a readable error', code: 'http_400' },
    ],
    ['of an empty object', {}, { message: 'the service at URL answered 400', code: 'http_400' }],
    [
      'of texts that are empty',
      { error: '', message: '' },
      { message: 'the service at URL answered 400', code: 'http_400' },
    ],
    [
      'of texts that are none',
      { error: 7, message: { text: 'x' } },
      { message: 'the service at URL answered 400', code: 'http_400' },
    ],
  ])('%s name the status', async (_, body, said) => {
    expect(await refused(400, body)).toMatchObject(said)
  })

  it.each<[string, object, Record<string, string>, string | null]>([
    ['of the answer', { context: { requestId: 'body' } }, { 'x-request-id': 'header' }, 'body'],
    ['of the header where the answer has none', { context: {} }, { 'x-request-id': 'header' }, 'header'],
    ['of the header where the context is a text', { context: 'x' }, { 'x-request-id': 'header' }, 'header'],
    [
      'of the header where that of the answer is empty',
      { context: { requestId: '' } },
      { 'x-request-id': 'h' },
      'h',
    ],
    ['of neither', {}, {}, null],
  ])('have the request id %s', async (_, body, headers, requestId) => {
    expect(await refused(400, { error: 'E', message: 'M', ...body }, headers)).toMatchObject({ requestId })
  })
})

describe('the details of an error', () => {
  const detailsOf = async (details: unknown) =>
    (await refused(400, { error: 'E', message: 'M', details })).details

  it('are those that can be read', async () => {
    expect(
      await detailsOf([
        { message: 'too short', path: ['edition', 'author', 0], code: 'too_small' },
        { message: 7, path: 'edition', code: 8 },
        { path: ['a', null, {}, true, 3] },
        'text',
        null,
      ]),
    ).toEqual([
      { message: 'too short', path: ['edition', 'author', 0], code: 'too_small' },
      { message: 'not valid' },
      { message: 'not valid', path: ['a', 3] },
    ])
  })

  it.each([['text'], [{ message: 'x' }], [null]])('are none where they are no list: %j', async details => {
    expect(await detailsOf(details)).toBeNull()
  })

  it('are a hundred at most, of paths of fifty steps', async () => {
    const path = Array.from({ length: 60 }, (_, index) => index)
    const details = await detailsOf(
      Array.from({ length: 120 }, (_, index) => ({ message: `m${index}`, path })),
    )
    expect(details).toHaveLength(100)
    expect(details.at(-1)).toEqual({ message: 'm99', path: path.slice(0, 50) })
  })

  it('are cut where they are long', async () => {
    const long = 'x'.repeat(50_000)
    const [detail] = await detailsOf([{ message: long, code: long, path: [long] }])
    for (const text of [detail.message, detail.code, detail.path[0]]) expect(text.length).toBeLessThan(20_000)
  })
})

describe('a success that is no answer', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' }
  it.each<[string, Record<string, string>, string]>([
    ['<p>hello', html, 'a web page'],
    ['  <!DOCTYPE html><p>hello', {}, 'a web page'],
    ['<HTML>', { 'content-type': 'text/plain' }, 'a web page'],
    ['<xml/>', { 'content-type': 'application/xml; charset=utf-8' }, 'application/xml'],
    ['hello', {}, 'text'],
    ['[1]', { 'content-type': 'text/csv' }, 'invalid, too deeply nested or truncated JSON'],
    ['7', { 'content-type': 'application/json' }, 'application/json'],
  ])('is named for what it is: %j', async (body, headers, kind) => {
    const error = await errorFor(response => response.writeHead(200, headers).end(body))
    expect(error).toMatchObject({
      code: 'bad_reply',
      status: 200,
      exitCode: 8,
      message: `the service at URL answered 200 with ${kind} instead of a JSON object`,
      hint: expect.stringMatching(/^Check that the address is the one of the service; a proxy or login page/),
      requests: 1,
    })
  })

  it.each(['', '{"item":{"id"', ' [{"id":'])(
    'is asked for again where it seems to be cut: %j',
    async body => {
      const error = await errorFor(response => response.writeHead(200).end(body))
      expect(error).toMatchObject({ code: 'bad_reply', requests: 4 })
    },
  )
})

describe('a redirect', () => {
  it.each([
    ['https://elsewhere.example/v1?x=1', ' to https://elsewhere.example'],
    ['/login', ''],
    [undefined, ''],
  ])('to %s is not followed, and said', async (location, target) => {
    const error = await errorFor(response =>
      response.writeHead(308, location === undefined ? {} : { location }).end(),
    )
    expect(error).toMatchObject({
      code: 'redirected',
      status: 308,
      message: `the service at URL answered with a redirect${target}, which is not followed, so that the key is sent nowhere else`,
      hint: 'Set the new address with "pubctl profile setup" or --base-url.',
      requests: 1,
    })
  })

  it('is every status from 300 to 399', async () => {
    for (const status of [300, 399])
      expect((await errorFor(response => response.writeHead(status).end())).code).toBe('redirected')
    for (const status of [299, 400])
      expect((await errorFor(response => response.writeHead(status).end('x'))).code).not.toBe('redirected')
  })
})
