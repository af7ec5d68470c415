import { resolve } from 'node:path'
import type { Bench } from './row.ts'

/** The longest that the tests may take, in seconds. */
const most = 120

/** The tests of this project, which whoever works on it runs all the time. */
export const tests: Bench = {
  name: 'tests',
  async run(machine) {
    const started = performance.now()
    await machine.run(['npm', '--prefix', resolve('.'), 'test'])
    const seconds = (performance.now() - started) / 1000
    return [
      {
        what: '`npm test`',
        goal: `≤ ${most} s`,
        result: `${seconds.toFixed(0)} s`,
        isReached: seconds <= most,
        figures: { seconds },
      },
    ]
  },
}
