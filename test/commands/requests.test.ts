import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fetch } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { contract } from '../../src/service/contract/index.ts'
import { openApiDocument } from '../../src/service/contract/openapi.ts'
import { parameterLocations } from '../../src/service/contract/parameters.ts'
import { type Invocation, invocations } from '../support/machine/every-command.ts'
import { isFull } from '../support/machine/full.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { furnish } from '../support/machine/seeded.ts'
import { sandbox } from '../support/servers/sandbox.ts'
import { type Received, serve } from '../support/servers/server.ts'

interface Exchange extends Received {
  status: number
  /** What a validating proxy found wrong, as it says it. */
  violations: string | null
}

/** Deleting last, and the user itself last of all, so that as many requests as can be meet what they ask for. */
const lateness = ({ command }: Invocation) =>
  /delete-me$/.test(command) ? 2 : / delete$/.test(command) ? 1 : 0

/** Runs the command line of every command against a service and gives each request that arrived there. */
async function exchangesWith(upstream: string, key: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const front = await serve(async (request, response) => {
    const { method, url, headers, body } = request
    const answer = await fetch(upstream + url, {
      method,
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          /^(authorization|content-type|accept)$/.test(name) ? [[name, String(value)]] : [],
        ),
      ),
      ...(body.length > 0 ? { body } : {}),
    })
    const text = await answer.text()
    exchanges.push({ ...request, status: answer.status, violations: answer.headers.get('sl-violations') })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  const { run, home } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: front.url })
  const all = invocations(await furnish(home, run)).filter(({ isLocal }) => !isLocal)
  for (const { args } of all.sort((a, b) => lateness(a) - lateness(b))) await run([...args, '--json'])
  return exchanges
}

const endpoints = Object.values(contract).flatMap(group => Object.values(group))
const endpointOf = ({ method, url }: Received) => {
  const { pathname } = new URL(url, 'http://x')
  return endpoints
    .filter(each => each.method === method)
    .sort((a, b) => b.path.replace(/\{\w+\}/g, '').length - a.path.replace(/\{\w+\}/g, '').length)
    .find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
}

describe('the requests of every command', () => {
  it('are those of the contract, each endpoint among them, with the fields that it has', async () => {
    const { baseUrl, key } = await sandbox()
    const exchanges = await exchangesWith(baseUrl, key('full'))
    const met = new Set<string>()
    for (const request of exchanges) {
      const endpoint = endpointOf(request)
      expect(endpoint, `${request.method} ${request.url}`).toBeDefined()
      if (!endpoint) continue
      met.add(`${endpoint.method} ${endpoint.path}`)
      const { query, body } = parameterLocations(endpoint)
      expect(query).toEqual(expect.arrayContaining([...new URL(request.url, 'http://x').searchParams.keys()]))
      if (body.length === 0) expect(request.body.toString(), request.url).toBe('')
      else {
        expect(request.headers['content-type']).toBe('application/json')
        const sent = JSON.parse(request.body.toString())
        const fields = z.pick(endpoint.input, Object.fromEntries(body.map(name => [name, true as const])))
        expect(
          fields.safeParse(sent).error?.issues,
          `${request.method} ${request.url} ${request.body}`,
        ).toBeUndefined()
      }
    }
    expect([...met].sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort())
  }, 120_000)
})

// npm run check:slow -- --full: a validator that shares nothing with pubctl stands between it and the sandbox.
describe.runIf(isFull)('through Prism', () => {
  it('no request and no answer goes against the OpenAPI document', async () => {
    const { baseUrl, key } = await sandbox()
    const prism = await startPrism(baseUrl)
    const exchanges = await exchangesWith(prism, key('full'))
    expect(exchanges.length).toBeGreaterThan(endpoints.length)
    const refused = exchanges.filter(
      ({ status, violations }) => violations !== null || status === 422 || status >= 500,
    )
    expect(
      refused.map(({ method, url, body, status, violations }) => ({
        method,
        url,
        body: String(body),
        status,
        violations,
      })),
    ).toEqual([])

    // Proof that the validator is there: what goes against the document does not pass.
    const headers = { authorization: `Bearer ${key('full')}`, 'content-type': 'application/json' }
    const wrong = await fetch(`${prism}/v1/domains`, { method: 'POST', headers, body: '{"domain":1}' })
    expect(wrong.status).toBe(422)
  }, 300_000)
})

async function startPrism(upstream: string): Promise<string> {
  const document = join(temporaryFolder(), 'openapi.json')
  writeFileSync(document, JSON.stringify(openApiDocument()))
  const port = await freePort()
  const prism = spawn(
    'npx',
    ['--yes', '@stoplight/prism-cli@5.14.2', 'proxy', document, upstream, '--errors', '--port', String(port)],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true, shell: process.platform === 'win32' },
  )
  onTestFinished(() => {
    if (prism.pid && prism.exitCode === null) process.kill(-prism.pid)
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    prism.stdout.on('data', chunk => {
      said += chunk
      if (/is listening/.test(said)) resolve()
    })
    prism.once('exit', () => reject(new Error(`Prism did not start: ${said}`)))
  })
  return `http://127.0.0.1:${port}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
