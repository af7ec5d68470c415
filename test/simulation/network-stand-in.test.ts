import { createHash } from 'node:crypto'
import { cpSync, mkdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test as it, onTestFinished } from 'vitest'
import { startService } from '../../src/sandbox/index.ts'
import { openHttp } from '../../src/service/client/http.ts'
import { asNetworkFailure, isPermanent, wasCut, wasNotSent } from '../../src/service/client/network-errors.ts'
import type { Http } from '../../src/system/http.ts'
import { systemClock } from '../../src/system/world.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { listening } from '../support/servers/server.ts'
import { usual } from './moods.ts'
import { simulatedNetwork } from './network.ts'
import { type Fault, startProcess } from './process.ts'
import { makeService, origin, startSimulatedService } from './service.ts'

/** One end of a network, and the service at the other one. */
interface End {
  readonly http: Http
  readonly origin: string
  readonly key: string
}

/** The real network, to a sandbox that listens. */
async function realEnd(): Promise<End> {
  const { baseUrl, keys, close } = await startService({
    dataDir: join(temporaryFolder(), 'data'),
    processingDelayMs: 60_000,
  })
  const http = openHttp({})
  onTestFinished(async () => {
    await http.close()
    await close()
  })
  return { http, origin: baseUrl, key: keys.find(({ name }) => name === 'full')?.key ?? '' }
}

/** The simulated one, where the first request meets a fault. */
async function simulatedEnd(fault?: Fault): Promise<End> {
  const [made, dataDir] = [join(temporaryFolder(), 'made'), join(temporaryFolder(), 'service')]
  await makeService(made)
  // SQLite still has the one open that was made.
  cpSync(made, dataDir, { recursive: true })
  const service = await startSimulatedService(dataDir, systemClock, usual)
  const home = temporaryFolder()
  mkdirSync(home, { recursive: true })
  const network = simulatedNetwork(service, systemClock)
  const machine = { home, processes: new Set<never>(), isStopped: false, taken: new Map(), harm: undefined }
  const own = startProcess(machine, (_, number) => (number === 0 ? fault : undefined), systemClock)
  const timer = setInterval(() => network.deliver(() => 0), 1)
  onTestFinished(async () => {
    clearInterval(timer)
    own.end()
    await service.close()
  })
  return { http: network.open(own), origin, key: service.key }
}

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

const send = async ({ http, key }: End, { method, url, headers, body }: Asked) =>
  await http.send({
    ...{ method, url, isPresigned: url.includes('/uploads/'), timeout: 30_000 },
    headers: headers ?? { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
    signal: new AbortController().signal,
  })

/** What a connection adds to an answer, which says nothing of the service. */
const ofConnection = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** An answer without what is random, or is another time, in it. */
async function answered(end: End, asked: Asked) {
  const response = await send(end, asked)
  const known = (text: string) =>
    text
      .replaceAll(end.origin, '{origin}')
      .replaceAll(/\d{4}-?\d\d-?\d\dT[\d:.]+Z/g, '{time}')
      .replaceAll(
        /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|[0-9A-F]{16,}|[\w+/]{60,}/g,
        '{id}',
      )
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    ofConnection.has(name) ? [] : [`${name}: ${name === 'etag' ? value : known(`${value}`)}`],
  )
  const text = await response.text()
  return { status: response.status, headers: headers.sort(), text, body: known(text) }
}

const content = 'not a book'
const requestId = '0b9f5b5e-6e1c-4f0a-9d53-2f3a41a0b001'

/** A person's requests, from the first look to a file that is sent twice, with what is refused among them. */
async function* history(end: End) {
  const { origin } = end
  yield await answered(end, { method: 'GET', url: `${origin}/v1/publications?limit=3` })
  yield await answered(end, { method: 'GET', url: `${origin}/v1/publications`, headers: {} })
  yield await answered(end, {
    ...{ method: 'GET', url: `${origin}/v1/publications` },
    headers: { authorization: 'Bearer no key of anybody' },
  })
  yield await answered(end, { method: 'GET', url: `${origin}/v1/nothing` })
  yield await answered(end, { method: 'DELETE', url: `${origin}/v1/publications` })
  yield await answered(end, { method: 'GET', url: `${origin}/v1/publications/${requestId}` })
  yield await answered(end, { method: 'POST', url: `${origin}/v1/publications`, body: '{"publication":' })
  yield await answered(end, { method: 'POST', url: `${origin}/v1/publications`, body: '{}' })
  const body = JSON.stringify({
    uploadRequestId: requestId,
    publicationFilename: 'one.epub',
    edition: { type: 'EPUB' },
  })
  const creation = { method: 'POST', url: `${origin}/v1/publications`, body }
  const created = await answered(end, creation)
  yield created
  yield await answered(end, creation)
  const { uploadUrl, requiredHeaders } = sessionIn(JSON.parse(created.text)) ?? {}
  if (typeof uploadUrl !== 'string') throw new Error(`there is no session in ${created.text}`)
  const put = async (body: string, more: Record<string, string> = {}, url = uploadUrl) => {
    const length = { 'content-length': `${body.length}` }
    const headers = { ...(requiredHeaders as Record<string, string>), ...length, ...more }
    return await answered(end, { method: 'PUT', url, headers, body })
  }
  const md5 = { 'content-md5': createHash('md5').update(content).digest('base64') }
  yield await put('something else', md5)
  yield await put(content, { 'content-md5': 'no digest' })
  yield await put(
    content,
    {},
    uploadUrl.replace(/.$/, each => (each === '0' ? '1' : '0')),
  )
  yield await put(content, {}, uploadUrl.replace('/uploads/', '/uploads/other-'))
  yield await put(content, { 'Content-Type': 'text/plain', 'x-amz-server-side-encryption': 'none' })
  yield await put(content, md5)
  yield await put(content)
  yield await answered(end, creation)
  yield await answered(end, { method: 'GET', url: `${origin}/v1/publications?limit=3` })
}

/** The upload session in an answer, wherever it stands. */
function sessionIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('uploadUrl' in value) return value as Record<string, unknown>
  for (const each of Object.values(value)) {
    const found = sessionIn(each)
    if (found) return found
  }
  return undefined
}

it('the sandbox answers over the simulated network what it answers over a real one', async () => {
  const [real, simulated] = [await realEnd(), await simulatedEnd()]
  const expected = history(real)
  const statuses: number[] = []
  for await (const { text: _, ...answer } of history(simulated)) {
    const { text: __, ...other } = (await expected.next()).value ?? { text: '' }
    expect(answer).toEqual(other)
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([
    ...[200, 401, 401, 404, 405, 404, 400, 400, 201, 201],
    ...[400, 400, 403, 403, 403, 200, 200, 201, 200],
  ])
})

/** What pubctl makes of an error: whether it may repeat the request, and what it tells. */
function judged(error: unknown) {
  const { code, message } = asNetworkFailure(error, 'the service')
  return {
    code,
    message,
    wasCut: wasCut(error),
    wasNotSent: wasNotSent(error),
    isPermanent: isPermanent(error),
  }
}

const failed = async (work: Promise<unknown>) =>
  await work.then(
    () => 'it did not fail',
    error => judged(error),
  )

/** A server that has a connection end as a test says, once something was sent. */
async function endAt(onRequest: (socket: Socket) => void): Promise<End> {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => onRequest(socket))
  })
  const port = await listening(Object.assign(server, { closeAllConnections: () => undefined }) as never)
  const http = openHttp({})
  onTestFinished(async () => await http.close())
  return { http, origin: `http://127.0.0.1:${port}`, key: 'none' }
}

it.each([['request lost'], ['answer lost']] as const)(
  'pubctl makes of a simulated fault what it makes of a connection that ends without an answer: %s',
  async fault => {
    const [real, simulated] = [await endAt(socket => socket.end()), await simulatedEnd(fault)]
    const ask = async (end: End) =>
      await failed(send(end, { method: 'GET', url: `${end.origin}/v1/publications` }))
    expect(await ask(simulated)).toEqual(await ask(real))
  },
)

it('pubctl makes of an answer that is cut in the simulation what it makes of a real one', async () => {
  const partOfAnswer =
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"items"'
  const [real, simulated] = [
    await endAt(socket => void socket.end(partOfAnswer)),
    await simulatedEnd('answer cut'),
  ]
  const ask = async (end: End) => {
    const response = await send(end, { method: 'GET', url: `${end.origin}/v1/publications` })
    return [response.status, await failed(response.text())]
  }
  expect(await ask(simulated)).toEqual(await ask(real))
})

it('a request that nobody waits for any more fails with the reason, on both', async () => {
  const [real, simulated] = [await endAt(() => undefined), await simulatedEnd('answer late')]
  const ask = async ({ http, origin }: End) => {
    const stop = new AbortController()
    const asked = http.send({
      ...{ method: 'GET', url: `${origin}/v1/publications`, isPresigned: false, headers: {}, timeout: 0 },
      signal: stop.signal,
    })
    const reason = new Error('nobody waits')
    setImmediate(() => stop.abort(reason))
    return await asked.catch(error => error === reason)
  }
  expect([await ask(simulated), await ask(real)]).toEqual([true, true])
})
