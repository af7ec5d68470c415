import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type History, type Lived, live, withOneFault } from './history.ts'
import { scenariosIn } from './scenarios.ts'
import { moods, templateIn } from './service.ts'
import { moveTimeWhenIdle } from './world.ts'

/** A disk in memory, where there is one: what is written need not last. */
const memory = '/dev/shm'

/** Carries out a command line, and prints what does not hold and, as JSON at the end, how much was tried. */
export async function simulate(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      scenario: { type: 'string' },
      part: { type: 'string', default: '0/1' },
      going: { type: 'string' },
      every: { type: 'string', default: '1' },
      trace: { type: 'boolean', default: false },
      first: { type: 'boolean', default: false },
    },
  })
  // Until all was tried: Node ends the process without a word where nothing can happen any more.
  process.exitCode = 1
  moveTimeWhenIdle()
  const [part = 0, parts = 1] = values.part.split('/').map(Number)
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'pubctl-simulation-'))
  const tried = { scenarios: 0, points: 0, histories: 0, runs: 0, wrong: 0 }
  try {
    const place = { folder, template: await templateIn(folder) }
    let index = 0
    for (const scenario of await scenariosIn(folder)) {
      if (values.scenario !== undefined && scenario.name !== values.scenario) continue
      tried.scenarios++
      for (const mood of moods) {
        const { points, histories } = await withOneFault(scenario, mood, place)
        tried.points += points.length
        if (values.trace) process.stdout.write(`${points.map(({ name }) => name).join('\n')}\n`)
        for (const history of histories) {
          if (values.going !== undefined && values.going !== history.going) continue
          if (index++ % (parts * Number(values.every)) !== part) continue
          const lived = await live(history, place)
          tried.histories++
          tried.runs += lived.runs.length
          if (lived.wrong === undefined) continue
          tried.wrong++
          process.stdout.write(textOf(history, lived))
          if (values.first) return
        }
      }
    }
    process.exitCode = tried.wrong > 0 ? 1 : 0
  } finally {
    process.stdout.write(`${JSON.stringify(tried)}\n`)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What went wrong in a history, and what happened up to there. */
function textOf({ scenario, mood, going, faults }: History, { runs, wrong }: Lived): string {
  const points = faults.map(
    ({ run, point, fault }) => `${fault} at point ${point} of run ${run}, ${runs[run]?.trace[point]?.name}`,
  )
  const story = runs.map(({ args, code }) => `${args.slice(0, 2).join(' ')} → ${code ?? 'died'}`)
  const said = runs.at(-1)
  const last = `${said?.out}${said?.err}`.trim().replaceAll('\n', '\n  ')
  return `${scenario.name} (${mood.name}, ${going}): ${points.join('; ')}\n  ${story.join(', ')}\n  ${wrong?.trim()}\n  ${last}\n`
}
