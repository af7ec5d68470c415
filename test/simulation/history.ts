import { exitCodes } from '../../src/system/errors.ts'
import { holdsAfter, holdsAtEnd, holdsAtMostOnce } from './invariants.ts'
import {
  diskFaults,
  type Fault,
  type FaultAt,
  lastingFaults,
  networkFaults,
  type Point,
  writeFaults,
} from './process.ts'
import type { Scenario } from './scenarios.ts'
import type { Mood } from './service.ts'
import { type Ended, openWorld } from './world.ts'

/** How it goes on after a run that did not do all. */
export const goings = ['again', 'resume', 'a day later', 'clock back', 'elsewhere'] as const
export type Going = (typeof goings)[number]

/** What goes wrong: in the run of this number, in the process of this number, at its point of this number, all counted from 0. */
export interface PlannedFault {
  readonly run: number
  readonly process: number
  readonly point: number
  /** A number from 0 to 1 stands for one of those that are possible there. */
  readonly fault: Fault | number
}

/** Another process that carries out the same command line during the first run. */
export interface Neighbour {
  /** The number of its machine: 0 is that of the first process. */
  readonly machine: number
  /** How long after the first process it starts, in milliseconds. */
  readonly startsAfter: number
}

export interface History {
  readonly scenario: Scenario
  readonly mood: Mood
  /** How it goes on after each run that did not do all; the last one from then on. */
  readonly goings: readonly Going[]
  readonly neighbours: readonly Neighbour[]
  readonly faults: readonly PlannedFault[]
  /** What everything random in it follows from. */
  readonly seed: number
}

/** Where histories keep their files. */
export interface Place {
  readonly template: string
  readonly folder: string
}

/** What happened in a history, and what did not hold. */
export interface Lived {
  /** The processes of each run. */
  readonly runs: readonly (readonly Ended[])[]
  /** The faults that happened, each by its name. */
  readonly faults: readonly PlannedFault[]
  readonly wrong: string | undefined
}

const [minute, hour, day] = [60 * 1000, 60 * 60 * 1000, 24 * 60 * 60 * 1000]

/** More runs than any history may need. */
const mostRuns = 6

/** Lives through a history: runs the command until it has done all, and once more. */
export async function live(history: History, { template, folder }: Place): Promise<Lived> {
  const { scenario, mood, neighbours, seed } = history
  const world = await openWorld(template, folder, mood, seed)
  const runs: Ended[][] = []
  const faults: PlannedFault[] = []
  const goings = new Set<Going>()
  let turn = 0
  /** Once all is done, nothing goes wrong any more. */
  let isDone = false
  const isEndured = history.faults.length === 1 && history.faults.every(({ fault }) => !mayEndEarly(fault))
  /** A command line in which the placeholders have their values. */
  const filled = (args: readonly string[]) =>
    args.map(word =>
      word
        .replace('{shared}', world.shared)
        .replace('{publication}', () => world.service.held()[0]?.id ?? ''),
    )
  /** What goes wrong in a process of the next run. */
  const faultAt = (process: number): FaultAt => {
    const run = runs.length
    const own = isDone ? [] : history.faults.filter(each => each.run === run && each.process === process)
    let isFull = false
    return (point, number) => {
      const planned = own.find(each => each.point === number)?.fault
      const possible = faultsAt(point)
      const fault = typeof planned === 'number' ? possible[Math.floor(planned * possible.length)] : planned
      if (fault === undefined) return isFull && point.kind === 'disk' ? 'disk full' : undefined
      faults.push({ run, process, point: number, fault })
      if (fault === 'clock forward') world.time.setBy(day)
      if (fault === 'clock back') world.time.setBy(-hour)
      if (fault === 'disk stays full') isFull = true
      return fault
    }
  }
  const run = async (args: readonly string[], others: readonly Neighbour[] = []) => {
    const all = [{ machine: 0, startsAfter: 0 }, ...others]
    const started = all.map((each, process) => ({ args: filled(args), ...each, faultAt: faultAt(process) }))
    const ended = await world.runAll(started)
    runs.push(ended)
    // Another machine skips what has arrived, and is not yet available.
    if (goings.has('elsewhere') || others.length > 0) await world.wait(minute)
    const isWhole = args === scenario.command && !mayRepeat()
    for (const each of ended) holdsAfter(each, scenario, world.service, isWhole)
    return ended
  }
  /** What a machine could not write down, as a warning has said, it cannot know. */
  const isUnknowing = () => runs.flat().some(({ err }) => err.includes('cannot be resumed'))
  /** Nor can another process that runs meanwhile. */
  const mayRepeat = () => neighbours.length > 0 && isUnknowing()
  const lived = (wrong: string | undefined): Lived => ({ runs, faults, wrong })
  try {
    for (const args of scenario.before ?? []) {
      const { code, err } = await world.run({ args: filled(args) })
      if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
    }
    for (let ended = await run(scenario.command, neighbours); ended[0]?.code !== exitCodes.done; ) {
      if (isEndured) throw new Error(`one fault of the network ends the command: ${runs[0]?.[0]?.err}`)
      if (runs.length >= mostRuns) throw new Error(`it has not done all after ${runs.length} runs`)
      const going = history.goings[turn++] ?? history.goings.at(-1) ?? 'again'
      const mayStop = scenario.mayStopElsewhere && goings.has('elsewhere')
      if (mayStop && ended.some(({ code }) => code === exitCodes.partFailed)) {
        holdsAtMostOnce(scenario, world.service)
        return lived(undefined)
      }
      goings.add(going)
      if (going === 'a day later') world.time.setBy(day)
      if (going === 'clock back') world.time.setBy(-hour)
      if (going === 'elsewhere') world.moveToNewMachines()
      if (going === 'resume') await run(['uploads', 'resume', '--json'])
      ended = await run(scenario.command)
    }
    isDone = true
    if (!mayRepeat()) holdsAtEnd(scenario, world.service)
    if (isUnknowing()) return lived(undefined)
    // The journal of a machine that stopped may have lost how its last uploads ended; to resume them changes nothing else.
    if (faults.some(({ fault }) => fault === 'torn write')) await run(['uploads', 'resume', '--json'])
    const [again] = await run(scenario.check ?? scenario.command)
    if (again?.code !== 0) throw new Error('once it has done all, the same command fails')
    holdsAtEnd(scenario, world.service)
    const [list] = await run(['uploads', 'list', '--json'])
    if (list?.out.trim() !== '[]') throw new Error(`the journal has something left: ${list?.out}`)
    return lived(undefined)
  } catch (error) {
    return lived((error as Error).message.replaceAll(world.shared, '{shared}'))
  } finally {
    await world.close()
  }
}

/** The history of a scenario in which nothing goes wrong. */
const calm = (scenario: Scenario, mood: Mood): History => ({
  ...{ scenario, mood, goings: [], neighbours: [], faults: [], seed: 1 },
})

/** The points of a command while nothing goes wrong. */
export type TracesOf = (scenario: Scenario, mood: Mood) => Promise<readonly Point[]>

/** The same, each found out once. */
export function calmTraces(place: Place): TracesOf {
  const known = new Map<string, Promise<readonly Point[]>>()
  return async (scenario, mood) => {
    const key = `${scenario.name}, ${mood.name}`
    const found =
      known.get(key) ?? live(calm(scenario, mood), place).then(({ runs }) => runs[0]?.[0]?.trace ?? [])
    known.set(key, found)
    return await found
  }
}

/** Every history of a scenario in which one thing goes wrong once, and the one in which nothing does. */
export async function withOneFault(
  scenario: Scenario,
  mood: Mood,
  place: Place,
): Promise<{ points: readonly Point[]; histories: readonly History[] }> {
  const nothing = calm(scenario, mood)
  const { runs } = await live(nothing, place)
  const points = runs[0]?.[0]?.trace ?? []
  const histories = points.flatMap((point, index) =>
    singleFaultsAt(point).flatMap(fault =>
      goings
        .filter(going => going === 'again' || (mayEndEarly(fault) && scenario.goings.includes(going)))
        .map(going => ({
          ...nothing,
          goings: [going],
          faults: [{ run: 0, process: 0, point: index, fault }],
        })),
    ),
  )
  return { points, histories: [nothing, ...histories] }
}

const singleFaultsAt = ({ kind, name }: Point): readonly Fault[] =>
  kind === 'network'
    ? networkFaults
    : /^(write|appendFile|commit)/.test(name)
      ? [...diskFaults, ...writeFaults]
      : diskFaults

/** What may go wrong at a point among several things. */
const faultsAt = (point: Point): readonly Fault[] => [...singleFaultsAt(point), ...lastingFaults]

/** A service that says nothing for so long is given up. */
const mayEndEarly = (fault: Fault | number): boolean =>
  typeof fault === 'number' || /^die|late$|full$|^torn/.test(fault)
