import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stat } from '../../src/system/files.ts'
import { beginningsIn } from './beginnings.ts'
import { recordDatabase } from './database/recording.ts'
import { allWaysAt, calmTraces, type History, live, waysInTurn, withOneFault } from './history.ts'
import { type Mood, moods } from './moods.ts'
import { killings, killWithTheDead } from './process.ts'
import { type Scenario, scenariosIn } from './scenarios.ts'
import { historyOf } from './seeds.ts'
import { inSmaller, shortestOf, type Told } from './shortest.ts'
import {
  commandOf,
  faultFrom,
  goingFrom,
  named,
  neighbourFrom,
  seedCommandOf,
  textOf,
  traceOf,
} from './told.ts'
import { moveTimeWhenIdle } from './world.ts'

/** A disk in memory, where there is one: what is written need not last. */
const memory = '/dev/shm'

const options = {
  scenario: { type: 'string' },
  mood: { type: 'string' },
  going: { type: 'string', multiple: true },
  fault: { type: 'string', multiple: true },
  neighbour: { type: 'string', multiple: true },
  /** One seed, or the first one of many. */
  seed: { type: 'string' },
  seeds: { type: 'string' },
  /** No history is begun after so many minutes. */
  minutes: { type: 'string' },
  every: { type: 'string', default: '1' },
  /** One thing goes wrong at each point, and another one at the next. */
  once: { type: 'boolean', default: false },
  part: { type: 'string', default: '0/1' },
  trace: { type: 'boolean', default: false },
  /** A file for everything that PostgreSQL was asked, and its stand-in answered. */
  statements: { type: 'string' },
  /** A folder for the files, which are left there, in place of one in memory. */
  folder: { type: 'string' },
  /** With the first process that dies, this one is killed, too: at its point, or once nothing more comes of it. */
  killed: { type: 'string' },
  first: { type: 'boolean', default: false },
  /** Exactly this history, with nothing but what is given. */
  replay: { type: 'boolean', default: false },
} as const

/** Carries out a command line, and prints what does not hold and, as JSON at the end, how much was tried. */
export async function simulate(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options })
  const { going = [], fault = [], neighbour = [] } = values
  // Until all was tried: Node ends the process without a word where nothing can happen any more.
  process.exitCode = 1
  /** The command line that lives through the present history again. */
  let present: string | undefined
  moveTimeWhenIdle()
  const [part = 0, parts = 1] = values.part.split('/').map(Number)
  const end = values.minutes === undefined ? Infinity : performance.now() + Number(values.minutes) * 60_000
  const { statements } = values
  if (statements !== undefined)
    recordDatabase(happened => appendFileSync(statements, `${JSON.stringify(happened)}\n`))
  const folder =
    values.folder ?? mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'pubctl-simulation-'))
  process.once('exit', () => {
    if (present !== undefined) say(`it broke off in\n  ${present}`)
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
  })
  if (values.killed !== undefined) killWithTheDead(named(killings, values.killed, each => each))
  // Some commands write beside themselves, as failed.csv.
  process.chdir(folder)
  // The program uses a disk as a quick one once it has found it to be quick: from the beginning, or histories would differ.
  await stat(folder)
  const tried = { scenarios: 0, points: 0, kinds: 0, ways: 0, histories: 0, runs: 0, faults: 0, wrong: 0 }
  const say = (text: string) => {
    // The same in each process, wherever that has its files.
    const same = text.replaceAll(folder, '').replaceAll(/\/world-\d+/g, '')
    process.stdout.write(`${same}\n`)
  }
  const place = { folder, beginningOf: await beginningsIn(folder) }
  const scenarios = (await scenariosIn(folder)).filter(
    (each, _, all) =>
      values.scenario === undefined || each === named(all, values.scenario, ({ name }) => name),
  )
  const chosen = moods.filter(
    each => values.mood === undefined || each === named(moods, values.mood, ({ name }) => name),
  )
  /** Lives through a history, and says what does not hold. */
  const tell = async (history: History, command = commandOf(history)): Promise<Told | undefined> => {
    present = command
    const lived = await live(history, place)
    present = undefined
    tried.histories++
    tried.runs += lived.runs.flat().length
    tried.faults += lived.faults.length
    if (values.trace) say(traceOf(lived))
    if (lived.wrong === undefined) return undefined
    tried.wrong++
    say(textOf({ history, lived }))
    return { history, lived }
  }

  /** Lives through what goes wrong once, at each point. */
  const tryOneFault = async () => {
    let index = 0
    const waysAt = values.once ? waysInTurn() : allWaysAt
    const kinds = new Set<unknown>()
    const ways = new Set<string>()
    for (const scenario of scenarios) {
      for (const mood of chosen) {
        const { points, histories } = await withOneFault(scenario, mood, place, waysAt)
        tried.points += points.length
        for (const { faults, goings } of histories) {
          for (const { fault } of faults) kinds.add(fault)
          for (const each of goings) ways.add(each)
        }
        Object.assign(tried, { kinds: kinds.size, ways: ways.size })
        for (const history of histories) {
          if (going.length > 0 && history.goings.some(each => !going.map(goingFrom).includes(each))) continue
          if (index++ % (parts * Number(values.every)) !== part) continue
          if ((await tell(history)) !== undefined && values.first) return
        }
      }
    }
  }

  tried.scenarios = scenarios.length
  if (values.replay) {
    const [scenario, mood] = [scenarios[0] as Scenario, chosen[0] as Mood]
    const history = {
      ...{ scenario, mood, seed: Number(values.seed ?? 1) },
      goings: going.map(goingFrom),
      neighbours: neighbour.map(neighbourFrom),
      faults: fault.map(faultFrom),
    }
    if (part === 0) await tell(history)
  } else if (values.seed !== undefined || values.seeds !== undefined) {
    const tracesOf = calmTraces(place)
    const pointsOf = async (scenario: Scenario, mood: Mood) => (await tracesOf(scenario, mood)).length
    const from = Number(values.seed ?? 1)
    for (let seed = from + part; seed < from + Number(values.seeds ?? 1); seed += parts) {
      if (performance.now() > end) break
      const history = await historyOf(seed, { scenarios, moods: chosen, pointsOf })
      const failed = await tell(history, seedCommandOf(seed, values))
      if (failed === undefined) continue
      const shortest = await shortestOf(failed, {
        live: async each => await live(each, place),
        calmer: async told => await inSmaller(told, scenarios, tracesOf),
      })
      say(`  seed ${seed}; the shortest history:\n${textOf(shortest)}\n  ${commandOf(shortest.history)}`)
      if (values.first) break
    }
  } else await tryOneFault()
  process.exitCode = tried.wrong > 0 ? 1 : 0
  say(JSON.stringify(tried))
}
