import { join } from 'node:path'
import { contest } from './contest.ts'
import { pubctl, self } from './machine.ts'
import { type Bench, judge } from './row.ts'
import type { Addresses } from './service.ts'

/** How long the service takes for an answer, in milliseconds. A real one takes longer, so that a plan waits more for it. */
const delay = 5

/** Catalogues of which the service has everything, compared with a listing of its publications. */
export const catalogue: Bench = {
  name: 'catalogue',
  async run(machine) {
    const { api } = await machine.serve<Addresses>([...self, '--serve', String(delay)])
    const env = { PUBCTL_BASE_URL: api, PUBCTL_API_KEY: 'bench' }
    const sheet = join(machine.folder, 'catalogue.csv')
    const exported = [...pubctl, 'catalogue', 'export', '--out', sheet]
    // Reads every publication into the index.
    await machine.run(exported, env)
    const plan = [...pubctl, 'catalogue', 'plan', sheet, '--detailed-exitcode', '--quiet']
    const turns = await contest(machine.turns(2), {
      list: () => machine.run([...pubctl, 'publications', 'list', '--all', '-o', 'ndjson'], env),
      plan: () => machine.run(plan, env),
    })
    return [
      judge(
        `\`pubctl catalogue plan\`, 100,000 rows of 100,000 known publications, ${delay} ms an answer`,
        '`pubctl publications list --all`',
        { most: 2, memory: 200 },
        turns.plan / turns.list,
        { milliseconds: turns.plan, listMilliseconds: turns.list },
        await machine.peakOf(plan, env),
      ),
    ]
  },
}
