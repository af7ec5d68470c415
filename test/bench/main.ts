import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { batch } from './batch.ts'
import { catalogue } from './catalogue.ts'
import { growth } from './growth.ts'
import { growthFile, writeGrowth } from './growth-figures.ts'
import { inspect } from './inspect.ts'
import { listing, show } from './listing.ts'
import { openMachine, otherNodes } from './machine.ts'
import { onix } from './onix.ts'
import { queue } from './queue.ts'
import { asText, circumstancesOf, writePage } from './report.ts'
import type { Bench, Measured } from './row.ts'
import { sandbox } from './sandbox.ts'
import { sending } from './sending.ts'
import { publicationCount, serve } from './service.ts'
import { start } from './start.ts'
import { tests } from './tests.ts'

const benches = [start, inspect, sending, batch, queue, growth, listing, catalogue, onix, sandbox, tests]

const usage = `npm run bench -- [options]

  --only <name>  one of ${benches.map(({ name }) => name).join(', ')}; may be repeated
  --quick        a quarter of the turns
  --once         one turn, which shows whether it runs, not how quick it is
  --json         print JSON
  --page         put the table into docs/architecture.md
`

// The servers that pubctl is measured with are processes of their own, made of this very program.
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean' },
    once: { type: 'boolean' },
    json: { type: 'boolean' },
    page: { type: 'boolean' },
    help: { type: 'boolean' },
    serve: { type: 'string' },
    rate: { type: 'string' },
    publications: { type: 'string' },
    show: { type: 'string' },
  },
})

if (values.help) process.stdout.write(usage)
else if (values.serve !== undefined)
  await serve({
    delay: Number(values.serve),
    rate: Number(values.rate ?? Number.POSITIVE_INFINITY),
    publications: Number(values.publications ?? publicationCount),
  })
else if (values.show !== undefined) await show(values.show)
else await measure()

async function measure(): Promise<void> {
  const rows: Measured[] = []
  for (const bench of benches) {
    if (values.only && !values.only.includes(bench.name)) continue
    process.stderr.write(`${bench.name} …\n`)
    rows.push(...(await rowsOf(bench)))
  }
  const circumstances = circumstancesOf(versions(), rows)
  process.stdout.write(
    values.json ? `${JSON.stringify({ ...circumstances, rows }, null, 2)}\n` : asText(circumstances, rows),
  )
  if (!values.page) return
  writePage(resolve('docs/architecture.md'), circumstances, rows)
  const grown = rows.flatMap(row => row.growth ?? [])
  if (grown.length > 0) writeGrowth(resolve(growthFile), grown)
}

/** The rows of a bench. One that fails costs its own rows and the exit code, not what the others have measured in minutes. */
async function rowsOf(bench: Bench): Promise<readonly Measured[]> {
  const machine = openMachine(values.once ? 'once' : values.quick ? 'quick' : 'none')
  try {
    return await bench.run(machine)
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    return [{ what: bench.name, goal: 'to be measured', result: 'failed', isReached: false, figures: {} }]
  } finally {
    await machine.end()
  }
}

function versions(): Record<string, string> {
  const found = ['curl', 'gh', 'prism', ...otherNodes].flatMap(program => {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    const version = /\d+(\.\d+)+/.exec(stdout ?? '')?.[0]
    return version === undefined ? [] : [[program, version] as const]
  })
  return { Node: process.versions.node, ...Object.fromEntries(found) }
}
