import { exitCodes } from '../../src/system/errors.ts'
import { holdsAfter, holdsAtEnd, holdsAtMostOnce } from './invariants.ts'
import { diskFaults, type Fault, networkFaults, type Point } from './process.ts'
import type { Scenario } from './scenarios.ts'
import type { Mood } from './service.ts'
import { type Ended, openWorld } from './world.ts'

/** How it goes on after a run that did not do all. */
const goings = ['again', 'resume', 'a day later', 'clock back', 'elsewhere'] as const
export type Going = (typeof goings)[number]

/** What goes wrong: at the point of this number of the run of this number, both counted from 0. */
interface PlannedFault {
  readonly run: number
  readonly point: number
  readonly fault: Fault
}

export interface History {
  readonly scenario: Scenario
  readonly mood: Mood
  readonly going: Going
  readonly faults: readonly PlannedFault[]
  readonly seed: number
}

/** Where histories keep their files. */
export interface Place {
  readonly template: string
  readonly folder: string
}

/** What happened in a history, and what did not hold. */
export interface Lived {
  readonly runs: readonly Ended[]
  readonly wrong: string | undefined
}

const [minute, hour, day] = [60 * 1000, 60 * 60 * 1000, 24 * 60 * 60 * 1000]

/** More runs than any history may need. */
const mostRuns = 6

/** Lives through a history: runs the command until it has done all, and once more. */
export async function live(
  { scenario, mood, going, faults, seed }: History,
  { template, folder }: Place,
): Promise<Lived> {
  const world = await openWorld(template, folder, mood, seed)
  const runs: Ended[] = []
  const isEndured = faults.length === 1 && faults.every(({ fault }) => !mayEndEarly(fault))
  /** A command line in which the placeholders have their values. */
  const filled = (args: readonly string[]) =>
    args.map(word =>
      word
        .replace('{shared}', world.shared)
        .replace('{publication}', () => world.service.held()[0]?.id ?? ''),
    )
  const run = async (args: readonly string[]) => {
    const own = faults.filter(each => each.run === runs.length)
    const ended = await world.run(filled(args), point => own.find(each => each.point === point)?.fault)
    runs.push(ended)
    // Another machine skips what has arrived, and is not yet available.
    if (going === 'elsewhere') await world.wait(minute)
    holdsAfter(ended, scenario, world.service, args === scenario.command)
    return ended
  }
  try {
    for (const args of scenario.before ?? []) {
      const { code, err } = await world.run(filled(args))
      if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
    }
    while ((await run(scenario.command)).code !== 0) {
      if (isEndured) throw new Error(`one fault of the network ends the command: ${runs[0]?.err}`)
      if (runs.length >= mostRuns) throw new Error(`it has not done all after ${runs.length} runs`)
      if (going === 'a day later') world.time.setBy(day)
      if (going === 'clock back') world.time.setBy(-hour)
      if (going === 'elsewhere') {
        if (scenario.mayStopElsewhere && runs.length > 1 && runs.at(-1)?.code === exitCodes.partFailed) {
          holdsAtMostOnce(scenario, world.service)
          return { runs, wrong: undefined }
        }
        world.moveToNewMachine()
      }
      if (going === 'resume') await run(['uploads', 'resume', '--json'])
    }
    holdsAtEnd(scenario, world.service)
    // What the machine could not write down, as a warning has said, it cannot know.
    if (runs.some(({ err }) => err.includes('cannot be resumed'))) return { runs, wrong: undefined }
    const again = await run(scenario.check ?? scenario.command)
    if (again.code !== 0) throw new Error('once it has done all, the same command fails')
    holdsAtEnd(scenario, world.service)
    const { out } = await run(['uploads', 'list', '--json'])
    if (out.trim() !== '[]') throw new Error(`the journal has something left: ${out}`)
    return { runs, wrong: undefined }
  } catch (error) {
    return { runs, wrong: (error as Error).message }
  } finally {
    await world.close()
  }
}

/** Every history of a scenario in which one thing goes wrong once, and the one in which nothing does. */
export async function withOneFault(
  scenario: Scenario,
  mood: Mood,
  place: Place,
): Promise<{ points: readonly Point[]; histories: readonly History[] }> {
  const calm: History = { scenario, mood, going: 'again', faults: [], seed: 1 }
  const { runs } = await live(calm, place)
  const points = runs[0]?.trace ?? []
  const histories = points.flatMap((point, index) =>
    faultsAt(point).flatMap(fault =>
      goings
        .filter(going => going === 'again' || (mayEndEarly(fault) && scenario.goings.includes(going)))
        .map(going => ({ ...calm, going, faults: [{ run: 0, point: index, fault }] })),
    ),
  )
  return { points, histories: [calm, ...histories] }
}

const faultsAt = ({ kind }: Point): readonly Fault[] => (kind === 'network' ? networkFaults : diskFaults)

/** A service that says nothing for so long is given up. */
const mayEndEarly = (fault: Fault): boolean => /^die|late$|^disk full$/.test(fault)
