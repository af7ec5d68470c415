import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import { contest } from './contest.ts'
import { plain, pubctl, self } from './machine.ts'
import { type Bench, judge } from './row.ts'
import { type Addresses, publicationCount } from './service.ts'

/** Long listings. */
export const listing: Bench = {
  name: 'listing',
  async run(machine) {
    const { api } = await machine.serve<Addresses>([...self, '--serve', '0'])
    const env = { PUBCTL_BASE_URL: api, PUBCTL_API_KEY: 'bench' }
    const command = [...pubctl, 'publications', 'list', '--all', '-o', 'ndjson']
    const long = await contest(machine.turns(6), {
      count: () => machine.run([...plain('count'), api, `${publicationCount}`]),
      list: () => machine.run(command, env),
    })
    const peak = await machine.peakOf(command, env)
    const rows = await contest(machine.turns(8), {
      csv: () => machine.run([...self, '--show', 'csv'], env),
      table: () => machine.run([...self, '--show', 'table'], env),
      drawn: () => machine.run([...plain('table'), '10000']),
    })
    return [
      judge(
        '`pubctl publications list --all -o ndjson`, 100,000 publications',
        'an undici loop that only counts them',
        { most: 1.3, memory: 100 },
        long.list / long.count,
        { milliseconds: long.list, loopMilliseconds: long.count },
        peak,
      ),
      judge('a table of 10,000 rows', 'the same as CSV', { most: 2 }, rows.table / rows.csv, {
        milliseconds: rows.table,
        csvMilliseconds: rows.csv,
      }),
      judge('a table of 10,000 rows', 'one that cli-table3 draws', { most: 1 }, rows.table / rows.drawn, {
        milliseconds: rows.table,
        drawnMilliseconds: rows.drawn,
      }),
    ]
  },
}

/** Shows 10,000 publications on a terminal that throws away what it is told. */
export async function show(format: string): Promise<void> {
  // This program is bundled into node_modules/.cache.
  const { main, realWorld } = createRequire(import.meta.url)(
    '../../dist/main.js',
  ) as typeof import('../../src/main.ts')
  const stdout = Object.assign(new Writable({ write: (_, __, done) => done() }), {
    isTTY: true as const,
    columns: 120,
  })
  const world = { ...realWorld(() => new AbortController().signal), stdout }
  process.exitCode = await main(['publications', 'list', '--limit', '10000', '-o', format], world)
}
