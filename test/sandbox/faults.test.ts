import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Faults, faultAt, noFaults, parseFaults } from '../../src/sandbox/http/faults.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { systemClock } from '../../src/system/world.ts'
import { bin } from '../support/machine/bin-path.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { clientOf, dataFolder, sandbox } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

type Kind = Faults['shares'] extends ReadonlyMap<infer K, number> ? K : never

/** Every request meets this fault. */
const always = (kind: Kind): Faults => ({ shares: new Map([[kind, 1]]), slow: 0 })

/** Two servers of one sandbox, one that behaves and one that does not; `random` is the second number it asks for. */
async function faulty(kind: Kind, random = 0.9) {
  const dataDir = dataFolder()
  const well = await sandbox({ dataDir })
  let turn = 0
  const ill = await sandbox({ dataDir, faults: always(kind), random: () => (turn++ % 2 === 0 ? 0 : random) })
  return { well, ill, key: well.key('full') }
}

interface Got {
  status?: number
  length?: number
  body?: string
  error?: string
}

/** One request over a connection of its own, and what became of it. */
function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string | Uint8Array,
): Promise<Got> {
  return new Promise(resolve => {
    const got: Got = {}
    const failed = (error: NodeJS.ErrnoException) => resolve({ ...got, error: error.code ?? error.message })
    const asked = request(url, { method, headers, agent: false }, async answer => {
      got.status = answer.statusCode ?? 0
      got.length = Number(answer.headers['content-length'])
      let arrived = ''
      answer.on('data', chunk => {
        arrived += chunk
      })
      answer.on('error', error => failed(Object.assign(error, { code: `cut after ${arrived.length}` })))
      answer.on('end', () => resolve({ ...got, body: arrived }))
    })
    asked.on('error', failed).end(body)
  })
}

const domain = JSON.stringify({ domain: 'new.example' })

describe('a sandbox that rehearses', () => {
  it.each([
    [503, 'UNKNOWN_ERROR', 'SlowDown'],
    [429, 'UNKNOWN_ERROR', 'TooManyRequests'],
    [500, 'INTERNAL_ERROR', 'InternalError'],
  ] as const)('%i gives it to API and store, and does nothing', async (status, error, code) => {
    const { well, ill, key } = await faulty(status)
    const answer = await ill.call('POST', '/v1/domains', domain, key)
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error })
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '1' : null)
    expect(JSON.stringify(await well.ok('GET', '/v1/domains'))).not.toContain('new.example')
    const { item, result } = await well.create()
    const url = result.uploadUrl.replace(well.baseUrl, ill.baseUrl)
    const put = await send(url, 'PUT', result.requiredHeaders, await makeExampleEpub())
    expect(put).toMatchObject({ status, body: expect.stringContaining(`<Code>${code}</Code>`) })
    expect((await well.ok('GET', `/v1/publications/${item.id}`)).item.editions[0].uploadStatus).toBe(
      'upload_pending',
    )
  })

  it.each([
    ['before', 0.9, false],
    ['after', 0.1, true],
  ])('a reset resets the connection %s a request is carried out', async (_, random, isDone) => {
    const { well, ill, key } = await faulty('reset', random)
    const authorization = `Bearer ${key}`
    expect(await send(`${ill.baseUrl}/v1/domains`, 'POST', { authorization }, domain)).toEqual({
      error: 'ECONNRESET',
    })
    expect(JSON.stringify(await well.ok('GET', '/v1/domains')).includes('new.example')).toBe(isDone)
    const { item, result } = await well.create()
    const url = result.uploadUrl.replace(well.baseUrl, ill.baseUrl)
    const put = await send(url, 'PUT', result.requiredHeaders, await makeExampleEpub())
    expect(put.error).toMatch(/ECONNRESET|EPIPE/)
    if (isDone) expect((await well.settled(item.id)).edition.uploadStatus).toBe('available')
  })

  it('a cut sends the head and half of the answer, after the request was carried out', async () => {
    const { well, ill, key } = await faulty('cut')
    const authorization = `Bearer ${key}`
    const {
      status,
      length = 0,
      error,
    } = await send(`${ill.baseUrl}/v1/domains`, 'POST', { authorization }, domain)
    expect({ status, error }).toEqual({ status: 201, error: `cut after ${Math.floor(length / 2)}` })
    expect(length).toBeGreaterThan(100)
    expect(JSON.stringify(await well.ok('GET', '/v1/domains'))).toContain('new.example')
    const { item, result } = await well.create()
    const url = result.uploadUrl.replace(well.baseUrl, ill.baseUrl)
    expect(await send(url, 'PUT', result.requiredHeaders, await makeExampleEpub())).toEqual({
      error: 'ECONNRESET',
    })
    expect((await well.settled(item.id)).edition.uploadStatus).toBe('available')
  })

  it('a stall says nothing more until it is closed', async () => {
    const { well, ill, key } = await faulty('stall')
    const authorization = `Bearer ${key}`
    const waiting = send(`${ill.baseUrl}/v1/domains`, 'POST', { authorization }, domain)
    expect(await Promise.race([waiting, systemClock.sleep(300)])).toBeUndefined()
    await ill.close()
    expect(await waiting).toEqual({ error: 'ECONNRESET' })
    expect(JSON.stringify(await well.ok('GET', '/v1/domains'))).not.toContain('new.example')
  })

  it('slowness waits before each request', async () => {
    const waits: number[] = []
    const clock = {
      ...systemClock,
      sleep: async (milliseconds: number, signal?: AbortSignal) => {
        if (milliseconds === 7777) waits.push(milliseconds)
        else await systemClock.sleep(milliseconds, signal)
      },
    }
    const service = await sandbox({ clock, faults: { ...noFaults, slow: 7777 } })
    const { result } = await service.create()
    await service.put(result, await makeExampleEpub())
    expect(waits).toHaveLength(2)
  })
})

describe('the shares of faults', () => {
  it('are laid beside each other', () => {
    const faults = parseFaults(['stall=0.25,reset=0.5', ' 503=.125 '], '--fault', Number)
    const met = Array.from({ length: 1000 }, (_, at) => faultAt(faults, at / 1000) ?? 'none')
    const often = (kind: string | number) => met.filter(each => each === kind).length
    expect(['reset', 503, 'stall', 'none'].map(often)).toEqual([500, 125, 250, 125])
  })

  it('may add up to one, and a share may be nothing', () => {
    const tenths = ['reset', '503', '429', '500', 'cut'].map(kind => `${kind}=0.2`)
    const faults = parseFaults([...tenths, 'stall=0'], '--fault', Number)
    expect(faultAt(faults, 0.999999)).toBe('cut')
  })
})

describe('a fault that cannot be', () => {
  const wrong: [string, string][] = [
    ['resett=0.1', '"resett=0.1" is not a fault'],
    ['reset', '"reset" is not a fault'],
    ['', '"" is not a fault'],
    ['constructor=1', '"constructor=1" is not a fault'],
    ['503=2', '"503=2" does not give a share from 0 to 1'],
    ['503=10%', '"503=10%" does not give a share from 0 to 1'],
    ['503=-0.1', '"503=-0.1" does not give a share from 0 to 1'],
    ['503=', '"503=" does not give a share from 0 to 1'],
    ['slow=fast', '"slow=fast" does not give a duration'],
    ['reset=0.1,503=0.1,reset=0.2', 'reset is given twice'],
    ['reset=0.6,503=0.6', 'the shares add up to more than 1'],
  ]

  it.each(wrong)('%s is a usage error that names the flag', async (fault, message) => {
    const { code, out, err } = await machine().run(['sandbox', 'start', '--json', '--fault', fault])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(JSON.parse(err).error).toMatchObject({ code: 'usage', message: `--fault: ${message}` })
  })

  it.each(wrong.filter(([fault]) => fault !== ''))(
    '%s is a usage error that names the variable',
    async (fault, message) => {
      const env = { PUBCTL_SANDBOX_FAULTS: fault }
      for (const args of [
        ['sandbox', 'start', '--json'],
        ['--profile', 'sandbox', 'domains', 'list', '--json'],
      ]) {
        const { code, out, err } = await machine().run(args, { env })
        expect({ code, out }).toEqual({ code: 2, out: '' })
        expect(JSON.parse(err).error.message).toBe(`PUBCTL_SANDBOX_FAULTS: ${message}`)
      }
    },
  )

  it('is told as what it is where the variable is empty, or the delay is none', async () => {
    const { sandbox: inSandbox } = machine()
    const errorOf = async (env: Record<string, string>) =>
      (await inSandbox(['domains', 'list'], { env })).err.split('\n')[0]
    expect(await errorOf({ PUBCTL_SANDBOX_FAULTS: '' })).toBe('error: PUBCTL_SANDBOX_FAULTS is set but empty')
    expect(await errorOf({ PUBCTL_SANDBOX_DELAY: 'soon' })).toBe(
      'error: PUBCTL_SANDBOX_DELAY: "soon" is not a duration',
    )
  })
})

describe('faults through the program', () => {
  it('come from the flag of sandbox start, which beats the variable', async () => {
    const { baseUrl, key } = await startServer(dataFolder(), ['--fault', '500=0', '--fault', '503=1'])
    expect((await clientOf(baseUrl, key).call('GET', '/v1/users')).status).toBe(503)
  })

  it('are told by sandbox start, and none where there are none', async () => {
    const errOf = async (...faults: string[]) => {
      const args = [
        'sandbox',
        'start',
        '--data-dir',
        dataFolder(),
        ...faults.flatMap(each => ['--fault', each]),
      ]
      const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      let err = ''
      for await (const chunk of child.stderr) {
        err += chunk
        if (err.includes('Ctrl-C')) break
      }
      return err
    }
    expect(await errOf('503=0.1', 'slow=1500ms')).toContain('It fails on purpose: 503=0.1, slow=1.5s.\n')
    expect(await errOf()).not.toContain('on purpose')
  })

  it('come from the variable in the embedded sandbox', async () => {
    const { code, err } = await machine().sandbox(['domains', 'list', '--json'], {
      env: { PUBCTL_SANDBOX_FAULTS: '503=1' },
    })
    expect(code).toBe(8)
    expect(JSON.parse(err).error).toMatchObject({ status: 503, code: 'UNKNOWN_ERROR' })
  })

  it.runIf(isSlow)('lose and repeat no book of a batch', async () => {
    const { home, sandbox: inSandbox } = machine()
    const books = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const path = join(home, `${at}.epub`)
        writeFileSync(path, await makeExampleEpub({ title: `Book ${at}` }))
        return path
      }),
    )
    const { code } = await inSandbox(['publications', 'upload', ...books, '--json'], {
      env: { PUBCTL_SANDBOX_FAULTS: 'reset=0.03,503=0.04,500=0.03,cut=0.03' },
    })
    expect(code).toBe(0)
    const { out } = await inSandbox(['publications', 'list', '--all', '--json'])
    const titles = JSON.parse(out).map(({ title }: { title: string }) => title)
    expect(titles.sort()).toEqual(books.map((_, at) => `Book ${at}`))
  })
})
