import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { errorIn, itemsIn, startAgent } from '../support/machine/agent.ts'
import { environment, runBin } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { isSlow } from '../support/machine/slow.ts'
import { json, serve } from '../support/servers/server.ts'

const key = 'a-key-of-some-length'

const message = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
const hello = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

/** `pubctl mcp` as a process that is spoken to line by line. */
function startProcess(args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [bin, ...args, 'mcp', '--allow', 'write'], {
    env: environment(env),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  // What it had no time to read is of no interest.
  child.stdin.on('error', () => undefined)
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  return {
    child,
    send: (text: string) => void child.stdin.write(text),
    /** Waits for the answer to a message. */
    async answer(id: number): Promise<Record<string, unknown>> {
      for (;;) {
        const lines = out.split('\n').slice(0, -1)
        const found = lines.map(line => JSON.parse(line)).find(each => each.id === id)
        if (found) return found
        await Promise.race([once(child.stdout, 'data'), sleep(100)])
      }
    },
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
      return { code: child.exitCode, out, err }
    },
  }
}

/** A service whose answer to a list never comes, and what becomes of the requests for it. */
async function silentService() {
  const open = new Set<object>()
  let most = 0
  const service = await serve((request, response) => {
    if (!request.url.startsWith('/v1/domains')) return json(response, 200, { items: [] })
    open.add(request)
    most = Math.max(most, open.size)
    response.on('close', () => open.delete(request))
  })
  const until = async (count: number) => {
    while (open.size !== count) await sleep(20)
  }
  return { env: { PUBCTL_BASE_URL: service.url, PUBCTL_API_KEY: key }, until, most: () => most }
}

describe('the process of an agent', () => {
  it('ends with 0 when its standard input is closed, and has printed nothing else than answers', async () => {
    const { send, answer, child, ended } = startProcess(['--profile', 'sandbox', '--verbose'])
    send(hello)
    await answer(1)
    send(message(2, 'tools/call', { name: 'domains_list', arguments: {} }))
    await answer(2)
    child.stdin.end()
    const { code, out, err } = await ended()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    expect(out).not.toMatch(/[\u0080-\u009f\u202e]/)
  })

  it('answers what it was asked before its standard input was closed', async () => {
    const { exitCode, stdout } = await runBin(['mcp'], {}, hello + message(2, 'tools/list'))
    expect(exitCode).toBe(0)
    const answers = stdout.split('\n').map(line => JSON.parse(line))
    expect(answers.map(({ id }) => id)).toEqual([1, 2])
    expect(answers[1].result.tools.length).toBeGreaterThan(20)
  })

  it('ends at once when there is no standard input', async () => {
    expect(await runBin(['mcp'], {})).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s, also while commands run', async (signal, exitCode) => {
    const { env, until } = await silentService()
    const { send, answer, child, ended } = startProcess([], env)
    send(hello)
    await answer(1)
    send(message(2, 'tools/call', { name: 'domains_list', arguments: {} }))
    await until(1)
    child.kill(signal)
    expect((await ended()).code).toBe(exitCode)
    await until(0)
  })

  it.runIf(isSlow)('stops the commands that run when its standard input is closed', async () => {
    const { env, until } = await silentService()
    const { send, child, ended } = startProcess([], env)
    send(hello + message(2, 'tools/call', { name: 'domains_list', arguments: {} }))
    await until(1)
    child.stdin.end()
    expect((await ended()).code).toBe(0)
    await until(0)
  })

  it('goes on after messages that are none', async () => {
    const { send, answer, child, ended } = startProcess(['--profile', 'sandbox'])
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const line of ['no JSON', '[]', '{}', '\u0000', '{"jsonrpc":"2.0","id":null}', deep])
      send(`${line}\n`)
    send(`${hello}${message(2, 'no/method')}${message(3, 'tools/call', { name: 7 })}`)
    send(
      `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"domains_list","arguments":${deep}}}\n`,
    )
    send(
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"domains_list","arguments":{"__proto__":{}}}}\n',
    )
    for (const id of [2, 3, 4]) expect(await answer(id)).toHaveProperty('error')
    expect(await answer(5)).toHaveProperty('result')
    send(message(6, 'ping'))
    expect(await answer(6)).toEqual({ jsonrpc: '2.0', id: 6, result: {} })
    child.stdin.end()
    const { code, err } = await ended()
    expect(code).toBe(0)
    expect(new Set(err.trim().split('\n'))).toEqual(
      new Set(['warning: the agent sent a message that the protocol does not have']),
    )
  })

  it.runIf(isSlow)('ends with a clear word after a message that is larger than any', async () => {
    const { send, ended } = startProcess()
    send(hello)
    send('x'.repeat(5_000_000))
    const { code, err } = await ended()
    expect(code).toBe(2)
    expect(err).toContain(
      'error: a message of the agent is larger than 4 MiB\n  Have the program of the agent start it again.\n',
    )
  })

  it('reads no key from its standard input', async () => {
    const env = { PUBCTL_BASE_URL: 'http://127.0.0.1:9' }
    expect(await runBin(['--api-key-file', '-', 'mcp'], env, 'a-key-of-some-length')).toMatchObject({
      exitCode: 2,
      stderr:
        'error: the key cannot be read from standard input, which the agent uses\n  Name a file with --api-key-file, or use a profile.',
    })
  })

  it('starts with no folder that is not there', async () => {
    expect(await runBin(['mcp', '--root', '/no/such/folder'], {})).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('/no/such/folder'),
    })
  })

  it('sends nothing that changes anything with --dry-run', async () => {
    const { call } = await startAgent(['--allow', 'write'], { before: ['--profile', 'sandbox', '--dry-run'] })
    expect(itemsIn(await call('domains_create', { domain: 'new.example.org' }))[0]).toMatchObject({
      method: 'POST',
    })
    expect(itemsIn(await call('domains_list'))).toHaveLength(3)
  })
})

describe('a call', () => {
  it('that is cancelled stops its command, and the next one is answered', async () => {
    const { env, until } = await silentService()
    const { call } = await startAgent([], { before: [], env })
    const stop = new AbortController()
    const cancelled = call('domains_list', {}, stop.signal)
    await until(1)
    stop.abort()
    await expect(cancelled).rejects.toThrow()
    await until(0)
    expect(itemsIn(await call('users_list'))).toEqual([])
  })

  it.runIf(isSlow)('that takes long says that it still runs, to a client that asks for it', async () => {
    const { env, until } = await silentService()
    const { client } = await startAgent([], { before: [], env })
    const stop = new AbortController()
    const told = new Promise(resolve => {
      const options = { signal: stop.signal, onprogress: resolve }
      client.callTool({ name: 'domains_list', arguments: {} }, undefined, options).catch(() => undefined)
    })
    expect(await told).toMatchObject({ progress: 1, message: 'running (5 s)' })
    stop.abort()
    await until(0)
  })

  it.runIf(isSlow)('waits for its turn while four others read, and is refused while fifty wait', async () => {
    const { env, until, most } = await silentService()
    const { call } = await startAgent([], { before: [], env })
    const stops = Array.from({ length: 54 }, () => new AbortController())
    const all = stops.map(({ signal }) => call('domains_list', {}, signal).catch(() => undefined))
    await until(4)
    expect(errorIn(await call('domains_list'))).toMatchObject({ code: 'too_many_calls' })
    expect(most()).toBe(4)
    for (const stop of stops) stop.abort()
    await Promise.all(all)
    await until(0)
    expect(itemsIn(await call('users_list'))).toEqual([])
  })

  it.runIf(isSlow && process.platform === 'linux')('leaves no files open for those after it', async () => {
    const { call, transport } = await startAgent()
    for (let count = 0; count < 80; count++) await call('domains_list')
    expect(readdirSync(`/proc/${transport.pid}/fd`).length).toBeLessThan(110)
  })

  it('that writes waits for the one before', async () => {
    let open = 0
    let most = 0
    const { url, received } = await serve(async (_, response) => {
      open += 1
      most = Math.max(most, open)
      await sleep(20)
      open -= 1
      json(response, 201, { item: { id: 'dom_1' } })
    })
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: key }
    const { call } = await startAgent(['--allow', 'write'], { before: [], env })
    await Promise.all(['a', 'b', 'c'].map(domain => call('domains_create', { domain })))
    expect({ most, sent: received.length }).toEqual({ most: 1, sent: 3 })
  })
})
