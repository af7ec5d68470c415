import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { createStep, writePlan } from '../support/catalogues/plan-file.ts'
import type { CostBySize } from './growth-figures.ts'
import { type Machine, pubctl, self } from './machine.ts'
import { type Bench, judge, type Measured } from './row.ts'
import type { Addresses } from './service.ts'

/** How many there are: from few, where the start of the program counts most, to many. */
const sizes = [10, 100, 1000, 10_000] as const
const [few, many, most] = [sizes[0], sizes[2], sizes[3]]

/** Something that there can be many of. */
interface Kind {
  readonly name: string
  readonly what: string
  /** Gives the command that is measured with so many of them, which may be run once. */
  prepare(count: number): Promise<readonly string[]> | readonly string[]
}

/** How what one of many costs grows with how many there are: books, steps of a plan, receipts and files. */
export const growth: Bench = {
  name: 'growth',
  async run(machine) {
    const { api } = await machine.serve<Addresses>([...self, '--serve', '0'])
    const books = join(machine.folder, 'growth')
    mkdirSync(books)
    for (let number = 0; number < most; number++)
      writeFileSync(bookIn(books, number), await makeExampleEpub({ title: `Book ${number}`, cover: false }))
    const rows: Measured[] = []
    for (const kind of kindsOf(machine, books, api)) rows.push(await measure(machine, kind, api))
    return rows
  },
}

const bookIn = (folder: string, number: number): string => join(folder, `${number}.epub`)

/** A folder with so many of the books. */
function folderOf(machine: Machine, books: string, name: string, count: number): string {
  const folder = join(machine.folder, `${name}-${count}`)
  mkdirSync(folder)
  for (let number = 0; number < count; number++) linkSync(bookIn(books, number), bookIn(folder, number))
  return folder
}

const kindsOf = (machine: Machine, books: string, api: string): readonly Kind[] => [
  {
    name: 'book',
    what: '`pubctl publications upload`, each of 10,000 books',
    prepare(count) {
      const folder = folderOf(machine, books, 'batch', count)
      const report = ['--shard', '1/1', '--report', join(machine.folder, `${count}.ndjson`)]
      return ['publications', 'upload', folder, '--cover', 'none', ...report, '--quiet']
    },
  },
  {
    name: 'step of a plan',
    what: '`pubctl catalogue apply`, each of 10,000 steps',
    prepare(count) {
      const plan = join(machine.folder, `plan-${count}.ndjson`)
      const steps = Array.from({ length: count }, (_, number) =>
        createStep(bookIn(books, number), String(9_780_000_000_000 + number), `Book ${number}`),
      )
      writePlan(plan, { baseUrl: api, scopeId: null }, steps)
      return ['catalogue', 'apply', plan, '--quiet']
    },
  },
  {
    name: 'receipt',
    what: '`pubctl receipts merge`, each of 10,000 receipts',
    // Those of the batch.
    prepare: count => [
      ...['receipts', 'merge', join(machine.folder, `${count}.ndjson`), '--quiet'],
      ...['--out', join(machine.folder, `merged-${count}.ndjson`)],
    ],
  },
  {
    name: 'file in a hot folder',
    what: '`pubctl watch --once`, each of 10,000 files',
    prepare: count => [
      ...['watch', folderOf(machine, books, 'watched', count), '--once', '--quiet-period', '0s', '--quiet'],
    ],
  },
]

async function measure(machine: Machine, { name, what, prepare }: Kind, api: string): Promise<Measured> {
  const costs: CostBySize = {}
  for (const count of sizes) {
    const env = {
      ...{ PUBCTL_BASE_URL: api, PUBCTL_API_KEY: 'bench' },
      PUBCTL_DATA_DIR: join(machine.folder, `growth-${name.replaceAll(' ', '-')}-${count}`),
    }
    costs[count] = await machine.costOf([...pubctl, ...(await prepare(count))], env)
  }
  const between = (from: number, to: number) =>
    ((costs[to]?.milliseconds ?? 0) - (costs[from]?.milliseconds ?? 0)) / (to - from)
  const figures = Object.fromEntries(
    sizes.flatMap(count => [
      [`milliseconds of ${count}`, costs[count]?.milliseconds ?? 0],
      [`MiB of ${count}`, costs[count]?.peakMiB ?? 0],
    ]),
  )
  const ratio = between(many, most) / between(few, many)
  const measured = judge(what, 'each of 1,000', { most: 1.2 }, ratio, figures, costs[most]?.peakMiB)
  return { ...measured, growth: { name, costs } }
}
