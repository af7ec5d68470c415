import { closeSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeHugeBook } from '../support/books/huge-book.ts'
import { contest } from './contest.ts'
import { type Machine, pubctl, self } from './machine.ts'
import { type Bench, judge, type Measured, missing } from './row.ts'
import type { Addresses } from './service.ts'

const gibibyte = 2 ** 30

/** Sending large files, to a server that takes them off the wire and drops them. */
export const sending: Bench = {
  name: 'sending',
  async run(machine) {
    // How fast a server takes bytes is settled by where its memory happens to lie, so there are several to take turns.
    const servers: Addresses[] = []
    for (let count = 0; count < 8; count++) servers.push(await machine.serve([...self, '--serve', '0']))
    return [...(await put(machine, servers)), await putSlowly(machine), ...(await upload(machine, servers))]
  },
}

/** Gives one of them after the other. */
const inTurns = (servers: readonly Addresses[]) => {
  let turn = 0
  return () => servers[turn++ % servers.length] as Addresses
}

async function put(machine: Machine, servers: readonly Addresses[]): Promise<Measured[]> {
  const send = sender(machine)
  const [file, large] = [2, 8].map(size => hole(machine, size * gibibyte)) as [string, string]
  const what = '`pubctl uploads put`, 2 GiB'
  if (!machine.has('curl')) return [missing(what, '≥ 0.95 × `curl -T`', 'curl')]
  const [forCurl, forPut] = [inTurns(servers), inTurns(servers)]
  const times = await contest(machine.turns(32), {
    curl: () => machine.run(['curl', '-sS', '-T', file, `${forCurl().store}/book`]),
    put: async () => void (await send(file, forPut(), 'run')),
  })
  const figures = { milliseconds: times.put, curlMilliseconds: times.curl }
  const peaks = [await send(file, forPut(), 'peakOf'), await send(large, forPut(), 'peakOf')]
  const peak = Math.max(...peaks.map(Number))
  const limits = { least: 0.95, memory: 130 }
  const row = judge(`${what} (memory: and 8 GiB)`, '`curl -T`', limits, times.curl / times.put, figures, peak)
  return [{ ...row, result: `${row.result}; curl sends ${(2000 / times.curl).toFixed(1)} GiB/s` }]
}

/** Gives what sends a file by `uploads put` to a store. */
function sender(machine: Machine) {
  const session = join(machine.folder, 'session.json')
  return (path: string, { store }: Addresses, how: 'run' | 'peakOf') => {
    writeFileSync(session, JSON.stringify({ uploadUrl: `${store}/book`, requiredHeaders: {} }))
    const command = [...pubctl, 'uploads', 'put', path, '--session', session, '--quiet']
    return machine[how](command, { PUBCTL_BASE_URL: store, PUBCTL_API_KEY: 'bench' })
  }
}

/** 100 Mbit/s, and as many bytes as take five seconds then. */
const slow = { rate: 12_500_000, bytes: 62_500_000 }

async function putSlowly(machine: Machine): Promise<Measured> {
  const what = '`pubctl uploads put`, 62.5 MB at 100 Mbit/s'
  if (!machine.has('curl')) return missing(what, '≥ 0.98 × `curl -T`', 'curl')
  const server = await machine.serve<Addresses>([...self, '--serve', '0', '--rate', `${slow.rate}`])
  const send = sender(machine)
  const file = hole(machine, slow.bytes)
  const times = await contest(machine.turns(4), {
    curl: () => machine.run(['curl', '-sS', '-T', file, `${server.store}/book`]),
    put: async () => void (await send(file, server, 'run')),
  })
  const figures = { milliseconds: times.put, curlMilliseconds: times.curl }
  return judge(what, '`curl -T`', { least: 0.98 }, times.curl / times.put, figures)
}

async function upload(machine: Machine, servers: readonly Addresses[]): Promise<Measured[]> {
  const what = '`pubctl publications upload`, 2 GiB with SHA-256'
  const goal = '`sha256sum FILE & curl -T FILE; wait`'
  if (!machine.has('curl') || !machine.has('sha256sum'))
    return [missing(what, `≥ 0.9 × ${goal}`, 'curl or sha256sum')]
  const book = join(machine.folder, 'huge.epub')
  await writeHugeBook(book, 2 * gibibyte)
  let turn = 0
  const [forTools, forUpload] = [inTurns(servers), inTurns(servers)]
  const times = await contest(machine.turns(8), {
    tools: () =>
      machine.run(['sh', '-c', `sha256sum '${book}' & curl -sS -T '${book}' ${forTools().store}/book; wait`]),
    // Each time with a journal of its own, or the file would be known.
    upload: () =>
      machine.run([...pubctl, 'publications', 'upload', book, '--cover', 'none', '--json'], {
        PUBCTL_BASE_URL: forUpload().api,
        PUBCTL_API_KEY: 'bench',
        PUBCTL_DATA_DIR: join(machine.folder, `data-${turn++}`),
      }),
  })
  const figures = { milliseconds: times.upload, toolsMilliseconds: times.tools }
  return [judge(what, goal, { least: 0.9 }, times.tools / times.upload, figures)]
}

/** A file of so many bytes that takes no room. */
function hole(machine: Machine, size: number): string {
  const path = join(machine.folder, `${size}.bin`)
  const file = openSync(path, 'w')
  ftruncateSync(file, size)
  closeSync(file)
  return path
}
