import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { loadZod } from '../../src/service/contract/load-zod.ts'
import { openApiDocument } from '../../src/service/contract/openapi.ts'
import { contest } from './contest.ts'
import { type Machine, pubctl } from './machine.ts'
import { type Bench, judge, type Measured, missing } from './row.ts'

const connections = 16
/** How long a turn takes, in milliseconds. */
const period = 2000

/** How many requests a second the sandbox answers. */
export const sandbox: Bench = {
  name: 'sandbox',
  async run(machine) {
    const reference = "Prism's mock of the same document"
    const cases = [
      ['the sandbox, GET by id', '/v1/domains/dom_library'],
      ['the sandbox, list', '/v1/domains'],
    ] as const
    if (!machine.has('prism'))
      return cases.map(([what]) => missing(what, `≥ 5 × the requests a second of ${reference}`, 'prism'))

    const { baseUrl, keys } = await machine.serve<{ baseUrl: string; keys: { key: string }[] }>([
      ...pubctl,
      ...['sandbox', 'start', '--json', '--data-dir', join(machine.folder, 'asked')],
    ])
    const prism = await startPrism(machine)
    const key = keys[0]?.key ?? ''
    const measured: Measured[] = []
    for (const [what, path] of cases) {
      const { ours, theirs } = await contest(machine.turns(4), {
        ours: () => rateOf(baseUrl, path, key),
        theirs: () => rateOf(prism, path, key),
      })
      const figures = { requestsPerSecond: ours, prismRequestsPerSecond: theirs }
      measured.push(
        judge(what, `the requests a second of ${reference}`, { least: 5 }, ours / theirs, figures),
      )
    }
    return measured
  },
}

/** Requests a second over some connections, each of which asks again as soon as it was answered. */
async function rateOf(baseUrl: string, path: string, key: string): Promise<number> {
  const { hostname, port, host } = new URL(baseUrl)
  // Written by hand, since on a small machine whoever asks takes its time away from whoever answers.
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`
  let answered = 0
  const end = Date.now() + period
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write(request))
      socket.on('error', reject)
      socket.on('data', chunk => {
        text += chunk.toString('latin1')
        const length = lengthOf(text)
        if (length === undefined || text.length < length) return
        if (!text.startsWith('HTTP/1.1 200 '))
          return reject(new Error(`${baseUrl}${path}: ${text.slice(0, 200)}`))
        text = ''
        answered++
        if (Date.now() < end) return void socket.write(request)
        socket.destroy()
        resolve()
      })
    })
  await Promise.all(Array.from({ length: connections }, ask))
  return answered / (period / 1000)
}

/** How long an answer is as a whole, as soon as it says so. */
function lengthOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  const [, length] = /content-length: *(\d+)/i.exec(text) ?? []
  return head < 0 || length === undefined ? undefined : head + 4 + Number(length)
}

async function startPrism(machine: Machine): Promise<string> {
  const document = join(machine.folder, 'openapi.json')
  await loadZod()
  writeFileSync(document, JSON.stringify(openApiDocument()))
  const port = await freePort()
  return await machine.start(
    ['prism', 'mock', document, '--port', `${port}`, '--verboseLevel', 'silent'],
    `http://127.0.0.1:${port}`,
  )
}

/** Of the system's choice, since any other may be in use. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}
