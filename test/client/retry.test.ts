import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { sleeplessClock } from '../support/clock.ts'
import { machine, temporaryFolder } from '../support/pubctl.ts'
import { json, type Received, serve } from '../support/server.ts'
import { stubbornService } from '../support/stubborn-service.ts'

const context = { path: '', method: '', requestId: 'r', authentication: { sub: 's', scopeId: 'x' } }

function file(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}

/** A service that makes one asset and takes its file; `trouble` may answer a PUT in its place. */
async function assetService(trouble: (attempt: number, response: ServerResponse) => boolean) {
  let puts = 0
  const stored: string[] = []
  const { url, received } = await serve((request, response) => {
    if (request.method !== 'PUT') {
      const descriptor = { id: 'as_1', uploadMode: 'single', uploadUrl: `${url}/put?X-Amz-Signature=hidden` }
      const sending = { expiresIn: 900, requiredHeaders: { 'Content-Type': 'font/woff2' } }
      return json(response, 201, { result: [{ ...descriptor, ...sending }], context })
    }
    if (trouble(++puts, response)) return
    stored.push(request.body.toString())
    response.writeHead(200).end()
  })
  return {
    url,
    stored,
    received,
    ...machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }),
  }
}

const unavailableTwice = (attempt: number, response: ServerResponse) =>
  attempt <= 2 && Boolean(response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'))

describe('a store that is overloaded for a moment', () => {
  it('gets an asset in the end', async () => {
    const { run, stored } = await assetService(unavailableTwice)
    const sent = await run(['assets', 'upload', file('a.woff2', 'wOF2font')], { clock: sleeplessClock() })
    expect({ code: sent.code, stored }).toEqual({ code: 0, stored: ['wOF2font'] })
  })

  it('gets the file of a session in the end', async () => {
    const { run, stored, url } = await assetService(unavailableTwice)
    const session = file(
      'session.json',
      JSON.stringify({ uploadUrl: `${url}/put?secret`, requiredHeaders: {} }),
    )
    const sent = await run(['uploads', 'put', file('b.txt', 'content'), '--session', session], {
      clock: sleeplessClock(),
    })
    expect({ code: sent.code, stored }).toEqual({ code: 0, stored: ['content'] })
  })

  it('is not asked for ever, and each request counts once', async () => {
    const { run, received } = await assetService((_, response) => Boolean(response.writeHead(503).end()))
    const sent = await run(['assets', 'upload', file('a.woff2', 'wOF2font')], { clock: sleeplessClock() })
    expect({ code: sent.code, puts: received.filter(({ method }) => method === 'PUT').length }).toEqual({
      code: 8,
      puts: 8,
    })
  })
})

describe('an answer whose JSON was cut', () => {
  const broken = (status: number) => (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end('{"item":{"id":"x"')

  const answering = async (
    first: (response: ServerResponse) => void,
    then: (request: Received) => unknown,
  ) => {
    let asked = 0
    const { url, received } = await serve((request, response) =>
      ++asked === 1 ? first(response) : json(response, 200, then(request)),
    )
    return { received, ...machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }) }
  }

  it.each([
    ['a GET', ['domains', 'get', 'd1'], 2, 0],
    ['a PATCH, which sets the same values again', ['domains', 'update', 'd1', '--description', 'x'], 2, 0],
    ['a POST that would make another', ['domains', 'create', 'a.example'], 1, 8],
  ] as const)('after %s', async (_, args, requests, code) => {
    const item = { id: 'd1', domain: 'a.example' }
    const { run, received } = await answering(broken(200), () => ({ item, context }))
    const result = await run([...args, '--json'], { clock: sleeplessClock() })
    expect({ code: result.code, requests: received.length }).toEqual({ code, requests })
  })

  it('after a creation, which its upload request id makes repeatable', async () => {
    let cuts = 0
    const service = await stubbornService(({ method, url }, response) => {
      if (method !== 'POST' || url !== '/v1/publications' || ++cuts > 2) return false
      broken(201)(response)
      return true
    })
    const { run } = machine(service.env)
    const path = file('book.epub', await makeExampleEpub({ cover: false }))
    const { code } = await run(['publications', 'upload', path], { clock: sleeplessClock() })
    expect({ code, cuts, made: service.made.map(({ puts }) => puts) }).toEqual({
      code: 0,
      cuts: 3,
      made: [1],
    })
  })
})
