import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { contest } from './contest.ts'
import { type Machine, pubctl, self } from './machine.ts'
import { type Bench, judge, type Measured, missing } from './row.ts'
import type { Addresses } from './service.ts'

const count = 1000
const concurrency = 4

/** Sending many small books, to a service that answers at once, and to one that answers as if it were some way off. */
export const batch: Bench = {
  name: 'batch',
  async run(machine) {
    const folder = join(machine.folder, 'books')
    mkdirSync(folder)
    const files: string[] = []
    for (let number = 0; number < count; number++) {
      const file = join(folder, `${number}.epub`)
      const title = `Book ${number}`
      writeFileSync(file, await makeExampleEpub({ title, cover: false, paddingBytes: 195_000 }))
      files.push(file)
    }
    return [await against(machine, folder, files, 20, 2), await against(machine, folder, files, 0, 4)]
  },
}

async function against(
  machine: Machine,
  folder: string,
  files: readonly string[],
  delay: number,
  turns: number,
): Promise<Measured> {
  const what = `\`pubctl publications upload\`, 1,000 books of 200 kB, each answer after ${delay} ms`
  const reference = '`curl --parallel`'
  if (!machine.has('curl')) return missing(what, `≤ 1.3 × ${reference}`, 'curl')
  const { api, store } = await machine.serve<Addresses>([...self, '--serve', `${delay}`])
  const requests = join(machine.folder, 'requests')
  writeFileSync(requests, files.map(file => requestsFor(file, api, store)).join('next\n'))
  const upload = [...pubctl, 'publications', 'upload', folder, '--json']
  const many = ['--cover', 'none', '--concurrency', `${concurrency}`]
  let turn = 0
  const times = await contest(machine.turns(turns), {
    curl: () =>
      machine.run(['curl', '-sS', '--parallel', '--parallel-max', `${concurrency}`, '-K', requests]),
    upload: () =>
      machine.run([...upload, ...many], {
        PUBCTL_BASE_URL: api,
        PUBCTL_API_KEY: 'bench',
        // Each time a journal of its own, or the books would be known.
        PUBCTL_DATA_DIR: join(machine.folder, `batch-${delay}-${turn++}`),
      }),
  })
  const figures = { milliseconds: times.upload, curlMilliseconds: times.curl }
  return judge(what, reference, { most: 1.3 }, times.upload / times.curl, figures)
}

/** Creation, file and status, as lines of a curl configuration. */
const requestsFor = (file: string, api: string, store: string): string => `
url = "${api}/v1/publications"
header = "content-type: application/json"
header = "authorization: Bearer bench"
data = "{}"
next
url = "${store}/book"
upload-file = "${file}"
next
url = "${api}/v1/publications/pub_1/editions/ed_1"
header = "authorization: Bearer bench"
`
