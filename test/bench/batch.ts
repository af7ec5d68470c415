import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makePdf, pdfStream } from '../support/books/make-pdf.ts'
import { contest } from './contest.ts'
import { type Machine, node, otherNodes, plain, plainScript, pubctl, self, withNode } from './machine.ts'
import { type Bench, judge, judgeTime, type Measured, missing } from './row.ts'
import type { Addresses } from './service.ts'

const concurrency = 4

/** Sending many small books, to a service that answers at once, and to one that answers as if it were some way off. */
export const batch: Bench = {
  name: 'batch',
  async run(machine) {
    const folder = join(machine.folder, 'books')
    mkdirSync(folder)
    const files: string[] = []
    for (let number = 0; number < 1000; number++) files.push(await writeEpub(folder, number, false))
    const epubs = { what: '1,000 books of 200 kB', folder, files }
    const mixed = await mixedBooks(machine.folder)
    return [
      ...(await against(machine, { ...epubs, delay: 20, most: 1.3 }, 2)),
      ...(await against(machine, { ...epubs, delay: 0, most: 8 }, 12, otherNodes)),
      ...(await against(machine, { ...mixed, delay: 30, most: 2 }, 2)),
      ...(await besidePlainScript(machine, folder)),
      ...(await processorTimes(machine, folder)),
    ]
  },
}

interface Books {
  readonly what: string
  readonly folder: string
  readonly files: readonly string[]
  /** Milliseconds that each answer takes. */
  readonly delay: number
  /** How many times as long as curl an upload may take. */
  readonly most: number
}

/** Writes an EPUB of 200 kB. */
export async function writeEpub(folder: string, number: number, cover: boolean): Promise<string> {
  const file = join(folder, `${number}.epub`)
  const title = `Book ${number}`
  writeFileSync(file, await makeExampleEpub({ title, cover, paddingBytes: 195_000 }))
  return file
}

/** PDFs are read by another program than EPUBs are. */
async function mixedBooks(parent: string): Promise<Pick<Books, 'what' | 'folder' | 'files'>> {
  const folder = join(parent, 'mixed')
  mkdirSync(folder)
  const files: string[] = []
  for (let number = 0; number < 250; number++) {
    files.push(await writeEpub(folder, number, false), writePdf(folder, number))
  }
  return { what: '500 books of 200 kB, half of them PDFs', folder, files }
}

/** Writes a PDF of ninety pages and 200 kB, whose objects are numbered from 100 on. */
export function writePdf(folder: string, number: number): string {
  const file = join(folder, `${number}.pdf`)
  const info = `/Title (Book ${number}) /Author (A Name)`
  writeFileSync(file, makePdf({ info, pages: 90, objects: [pdfStream(randomBytes(180_000))] }))
  return file
}

/** Beside curl, also on other versions of Node. */
async function against(
  machine: Machine,
  { what: books, folder, files, delay, most }: Books,
  turns: number,
  others: readonly string[] = [],
): Promise<Measured[]> {
  const what = (on = '') => `\`${on}pubctl publications upload\`, ${books}, each answer after ${delay} ms`
  const reference = '`curl --parallel`'
  const goal = `≤ ${most} × ${reference}`
  if (!machine.has('curl')) return [missing(what(), goal, 'curl')]
  const { api, store } = await machine.serve<Addresses>([...self, '--serve', `${delay}`])
  const requests = join(machine.folder, 'requests')
  writeFileSync(requests, files.map(file => requestsFor(file, api, store)).join('next\n'))
  const command = [...pubctl, 'publications', 'upload', folder, '--json']
  const many = ['--cover', 'none', '--concurrency', `${concurrency}`]
  let turn = 0
  const upload = (on: string) => () =>
    machine.run(withNode(on, [...command, ...many]), {
      PUBCTL_BASE_URL: api,
      PUBCTL_API_KEY: 'bench',
      // Each time a journal of its own, or the books would be known.
      PUBCTL_DATA_DIR: join(machine.folder, `batch-${files.length}-${delay}-${turn++}`),
    })
  const present = others.filter(other => machine.has(other))
  const times = await contest<string>(machine.turns(turns), {
    curl: () =>
      machine.run(['curl', '-sS', '--parallel', '--parallel-max', `${concurrency}`, '-K', requests]),
    ...Object.fromEntries([node, ...present].map(on => [on, upload(on)])),
  })
  const row = (on: string, name?: string): Measured => {
    const [milliseconds, curlMilliseconds] = [times[on], times['curl']]
    if (milliseconds === undefined || curlMilliseconds === undefined) return missing(what(name), goal, on)
    const figures = { milliseconds, curlMilliseconds }
    return judge(what(name), reference, { most }, milliseconds / curlMilliseconds, figures)
  }
  return [row(node), ...others.map(other => row(other, `${other} `))]
}

/** Beside a script that does less of it, which shows what all else costs: the checks, and a journal with which it can go on. */
async function besidePlainScript(machine: Machine, folder: string): Promise<Measured[]> {
  const { api, store } = await machine.serve<Addresses>([...self, '--serve', '0'])
  let turn = 0
  // Each time a journal and a database of its own, or the books would be known.
  const ownPath = () => join(machine.folder, `beside-${turn++}`)
  const options = ['--json', '--cover', 'none', '--concurrency', `${concurrency}`]
  const measured = (how: 'run' | 'processorOf') =>
    contest(machine.turns(4), {
      upload: async () =>
        await machine[how]([...pubctl, 'publications', 'upload', folder, ...options], {
          PUBCTL_BASE_URL: api,
          PUBCTL_API_KEY: 'bench',
          PUBCTL_DATA_DIR: ownPath(),
        }),
      plain: async () => await machine[how]([...plain('upload'), folder, api, store, ownPath()]),
    })
  const [times, busy] = [await measured('run'), await measured('processorOf')]
  const what = '`pubctl publications upload`, 1,000 books of 200 kB, each answer after 0 ms'
  return [
    judge(what, plainScript, { most: 1 }, times.upload / times.plain, {
      milliseconds: times.upload,
      plainMilliseconds: times.plain,
    }),
    judge(`${what}, by the processor's time`, plainScript, { most: 1.25 }, busy.upload / busy.plain, {
      milliseconds: busy.upload,
      plainMilliseconds: busy.plain,
    }),
  ]
}

/** How long processors are busy with each book, its share of the start included, where nothing else is waited for. */
async function processorTimes(machine: Machine, epubs: string): Promise<Measured[]> {
  const [withCovers, pdfs] = ['with-covers', 'pdfs'].map(name => join(machine.folder, name)) as [
    string,
    string,
  ]
  mkdirSync(withCovers)
  mkdirSync(pdfs)
  for (let number = 0; number < 1000; number++) {
    await writeEpub(withCovers, number, true)
    writePdf(pdfs, number)
  }
  const { api } = await machine.serve<Addresses>([...self, '--serve', '0'])
  let turn = 0
  const each =
    (folder: string, cover: string, on: string = node) =>
    async () => {
      const upload = withNode(on, [...pubctl, 'publications', 'upload', folder, '--json', '--cover', cover])
      const env = {
        ...{ PUBCTL_BASE_URL: api, PUBCTL_API_KEY: 'bench' },
        PUBCTL_DATA_DIR: join(machine.folder, `processor-${turn++}`),
      }
      return (await machine.processorOf([...upload, '--concurrency', `${concurrency}`], env)) / 1000
    }
  const nodes = otherNodes.filter(other => machine.has(other))
  const times = await contest<string>(machine.turns(8), {
    epubs: each(epubs, 'none'),
    withCovers: each(withCovers, 'auto'),
    pdfs: each(pdfs, 'none'),
    ...Object.fromEntries(nodes.map(other => [other, each(epubs, 'none', other)])),
  })
  const row = (kind: string, most: number, contestant: string, on = ''): Measured => {
    const what = `\`${on}pubctl publications upload\`, 1,000 ${kind}`
    const found = times[contestant]
    return found === undefined
      ? missing(what, `≤ ${most} ms of processor a book`, contestant)
      : judgeTime(what, 'of processor a book', { most }, found)
  }
  return [
    row('EPUBs of 200 kB', 3, 'epubs'),
    ...otherNodes.map(other => row('EPUBs of 200 kB', 3, other, `${other} `)),
    row('EPUBs of 200 kB with covers', 4, 'withCovers'),
    row('PDFs of 200 kB', 4, 'pdfs'),
  ]
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
