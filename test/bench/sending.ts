import { closeSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeHugeBook } from '../support/huge-book.ts'
import { contest } from './contest.ts'
import { type Machine, pubctl, self } from './machine.ts'
import { type Bench, judge, type Measured, missing } from './row.ts'
import type { Addresses } from './service.ts'

const gibibyte = 2 ** 30

/** Sending large files, to a server that takes them off the wire and drops them. */
export const sending: Bench = {
  name: 'sending',
  async run(machine) {
    const { api, store } = await machine.serve<Addresses>([...self, '--serve', '0'])
    return [...(await put(machine, store)), ...(await upload(machine, api, store))]
  },
}

async function put(machine: Machine, store: string): Promise<Measured[]> {
  const session = join(machine.folder, 'session.json')
  writeFileSync(session, JSON.stringify({ uploadUrl: `${store}/book`, requiredHeaders: {} }))
  const env = { PUBCTL_BASE_URL: store, PUBCTL_API_KEY: 'bench' }
  const sendOf = (path: string) => [...pubctl, 'uploads', 'put', path, '--session', session, '--quiet']
  const [file, large] = [2, 8].map(size => hole(machine, size)) as [string, string]
  const what = '`pubctl uploads put`, 2 GiB'
  if (!machine.has('curl')) return [missing(what, '≥ 0.95 × `curl -T`', 'curl')]
  const times = await contest(machine.turns(12), {
    curl: () => machine.run(['curl', '-sS', '-T', file, `${store}/book`]),
    put: () => machine.run(sendOf(file), env),
  })
  const figures = { milliseconds: times.put, curlMilliseconds: times.curl }
  const peak = Math.max(await machine.peakOf(sendOf(file), env), await machine.peakOf(sendOf(large), env))
  const limits = { least: 0.95, memory: 130 }
  return [judge(`${what} (memory: and 8 GiB)`, '`curl -T`', limits, times.curl / times.put, figures, peak)]
}

async function upload(machine: Machine, api: string, store: string): Promise<Measured[]> {
  const what = '`pubctl publications upload`, 2 GiB with SHA-256'
  const goal = '`sha256sum FILE & curl -T FILE; wait`'
  if (!machine.has('curl') || !machine.has('sha256sum'))
    return [missing(what, `≥ 0.9 × ${goal}`, 'curl or sha256sum')]
  const book = join(machine.folder, 'huge.epub')
  await writeHugeBook(book, 2 * gibibyte)
  let turn = 0
  const times = await contest(machine.turns(6), {
    tools: () => machine.run(['sh', '-c', `sha256sum '${book}' & curl -sS -T '${book}' ${store}/book; wait`]),
    // Each time with a journal of its own, or the file would be known.
    upload: () =>
      machine.run([...pubctl, 'publications', 'upload', book, '--cover', 'none', '--json'], {
        PUBCTL_BASE_URL: api,
        PUBCTL_API_KEY: 'bench',
        PUBCTL_DATA_DIR: join(machine.folder, `data-${turn++}`),
      }),
  })
  const figures = { milliseconds: times.upload, toolsMilliseconds: times.tools }
  return [judge(what, goal, { least: 0.9 }, times.tools / times.upload, figures)]
}

/** A file of so many GiB that takes no room. */
function hole(machine: Machine, size: number): string {
  const path = join(machine.folder, `${size}.bin`)
  const file = openSync(path, 'w')
  ftruncateSync(file, size * gibibyte)
  closeSync(file)
  return path
}
