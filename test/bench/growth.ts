import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { createStep, writePlan } from '../support/catalogues/plan-file.ts'
import { median } from './contest.ts'
import type { CostBySize } from './growth-figures.ts'
import { type Cost, type Machine, pubctl, self } from './machine.ts'
import { type Bench, judge, type Measured } from './row.ts'
import type { Addresses } from './service.ts'

/** How many there are: from few, where the start of the program counts most, to many. */
const sizes = [10, 100, 1000, 10_000] as const
const [few, many, most] = [sizes[0], sizes[2], sizes[3]]

/** A run that takes more of the processor's time, in milliseconds, is not repeated: what disturbs it evens out within it. */
const long = 10_000

/** A run with so many of them. */
interface Run {
  readonly count: number
  /** What its files are named after, which no other run of the kind has. */
  readonly label: string
  /** At a service that has as many publications, and with a folder of its own for the data. */
  readonly env: Readonly<Record<'PUBCTL_BASE_URL' | 'PUBCTL_API_KEY' | 'PUBCTL_DATA_DIR', string>>
}

/** Something that there can be many of. */
interface Kind {
  readonly name: string
  readonly what: string
  /** Gives the command that is measured, which may be run once. */
  prepare(run: Run): Promise<readonly string[]> | readonly string[]
}

/** How what one of many costs grows with how many there are: books, steps of a plan, receipts, files and rows of a catalogue. */
export const growth: Bench = {
  name: 'growth',
  async run(machine) {
    const services = new Map<number, string>()
    for (const count of sizes) services.set(count, await serviceWith(machine, count))
    const books = join(machine.folder, 'growth')
    mkdirSync(books)
    for (let number = 0; number < most; number++)
      writeFileSync(bookIn(books, number), await makeExampleEpub({ title: `Book ${number}`, cover: false }))
    const rows: Measured[] = []
    for (const kind of kindsOf(machine, books)) rows.push(await measure(machine, kind, services))
    return rows
  },
}

/** The address of a service that has so many publications. */
async function serviceWith(machine: Machine, count: number): Promise<string> {
  const { api } = await machine.serve<Addresses>([...self, '--serve', '0', '--publications', `${count}`])
  return api
}

const bookIn = (folder: string, number: number): string => join(folder, `${number}.epub`)

/** A folder with so many of the books. */
function folderOf(machine: Machine, books: string, name: string, { count, label }: Run): string {
  const folder = join(machine.folder, `${name}-${label}`)
  mkdirSync(folder)
  for (let number = 0; number < count; number++) linkSync(bookIn(books, number), bookIn(folder, number))
  return folder
}

/** What a run is called, by how many there are and by its turn. */
const labelOf = (count: number, turn: number): string => `${count}-${turn}`

const kindsOf = (machine: Machine, books: string): readonly Kind[] => [
  {
    name: 'book',
    what: '`pubctl publications upload`, each of 10,000 books',
    prepare(run) {
      const folder = folderOf(machine, books, 'batch', run)
      const report = ['--shard', '1/1', '--report', join(machine.folder, `${run.label}.ndjson`)]
      return ['publications', 'upload', folder, '--cover', 'none', ...report, '--quiet']
    },
  },
  {
    name: 'step of a plan',
    what: '`pubctl catalogue apply`, each of 10,000 steps',
    prepare({ count, label, env }) {
      const plan = join(machine.folder, `plan-${label}.ndjson`)
      const steps = Array.from({ length: count }, (_, number) =>
        createStep(bookIn(books, number), String(9_780_000_000_000 + number), `Book ${number}`),
      )
      writePlan(plan, { baseUrl: env.PUBCTL_BASE_URL, scopeId: null }, steps)
      return ['catalogue', 'apply', plan, '--quiet']
    },
  },
  {
    name: 'receipt',
    what: '`pubctl receipts merge`, each of 10,000 receipts',
    // Those of the batch, of which not every size has more than one turn.
    prepare: ({ count, label }) => [
      ...['receipts', 'merge', join(machine.folder, `${labelOf(count, 0)}.ndjson`), '--quiet'],
      ...['--out', join(machine.folder, `merged-${label}.ndjson`)],
    ],
  },
  {
    name: 'file in a hot folder',
    what: '`pubctl watch --once`, each of 10,000 files',
    prepare: run => [
      ...['watch', folderOf(machine, books, 'watched', run), '--once', '--quiet-period', '0s', '--quiet'],
    ],
  },
  {
    name: 'row of a catalogue',
    what: '`pubctl catalogue plan`, each of 10,000 rows of as many known publications',
    async prepare({ label, env }) {
      const sheet = join(machine.folder, `catalogue-${label}.csv`)
      // Reads every publication into the index.
      await machine.run([...pubctl, 'catalogue', 'export', '--out', sheet], env)
      return ['catalogue', 'plan', sheet, '--detailed-exitcode', '--quiet']
    },
  },
]

async function measure(
  machine: Machine,
  kind: Kind,
  services: ReadonlyMap<number, string>,
): Promise<Measured> {
  const costs = await costsOf(machine, kind, services)
  const between = (figure: keyof Cost, from: number, to: number) =>
    ((costs[to]?.[figure] ?? 0) - (costs[from]?.[figure] ?? 0)) / (to - from)
  const kibibytes = between('peakMiB', many, most) * 1024
  const figures = Object.fromEntries(
    sizes.flatMap(count => [
      [`milliseconds of ${count}`, costs[count]?.milliseconds ?? 0],
      [`MiB of ${count}`, costs[count]?.peakMiB ?? 0],
    ]),
  )
  const ratio = between('milliseconds', many, most) / between('milliseconds', few, many)
  const measured = judge(kind.what, 'each of 1,000', { most: 1.2 }, ratio, figures, costs[most]?.peakMiB)
  return {
    ...measured,
    result: `${measured.result}, ${Math.round(kibibytes)} KiB each`,
    figures: { ...measured.figures, 'KiB of one more': kibibytes },
    growth: { name: kind.name, costs },
  }
}

/** The medians of each size, which have their turns one after the other: whatever else the machine does meets them alike. */
async function costsOf(
  machine: Machine,
  { name, prepare }: Kind,
  services: ReadonlyMap<number, string>,
): Promise<CostBySize> {
  const runs = [...services].map(([count, api]) => ({ count, api, costs: [] as Cost[] }))
  for (let turn = 0; turn < machine.turns(3); turn++)
    for (const { count, api, costs } of runs) {
      if (costs.some(({ milliseconds }) => milliseconds > long)) continue
      const label = labelOf(count, turn)
      const data = join(machine.folder, `growth-${name.replaceAll(' ', '-')}-${label}`)
      const env = { PUBCTL_BASE_URL: api, PUBCTL_API_KEY: 'bench', PUBCTL_DATA_DIR: data }
      costs.push(await machine.costOf([...pubctl, ...(await prepare({ count, label, env }))], env))
    }
  const middle = (costs: readonly Cost[]): Cost => ({
    milliseconds: median(costs.map(each => each.milliseconds)),
    peakMiB: median(costs.map(each => each.peakMiB)),
  })
  return Object.fromEntries(runs.map(({ count, costs }) => [count, middle(costs)]))
}
