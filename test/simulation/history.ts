import { exitCodes } from '../../src/system/errors.ts'
import { type BeginningOf, filled, layLater } from './beginnings.ts'
import {
  hasFailedSteps,
  holdsAfter,
  holdsAtEnd,
  holdsAtMostOnce,
  isFolderDone,
  isQueueDone,
} from './invariants.ts'
import { isKnownByTime, type Mood, mayStop, showsInAnswers } from './moods.ts'
import {
  databaseFaults,
  diskFaults,
  type Fault,
  type FaultAt,
  lastingFaults,
  lockFaults,
  networkFaults,
  type Point,
  writeFaults,
} from './process.ts'
import { isShared, type Scenario } from './scenarios.ts'
import { type Ended, openWorld, type Run } from './world.ts'

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

/** Where histories keep their files, and what they begin with. */
export interface Place {
  readonly beginningOf: BeginningOf
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

/** Lives through a history: runs the command until it has done all, and once more; or, `onlyFirst`, once at all. */
export async function live(
  history: History,
  { beginningOf, folder }: Place,
  onlyFirst = false,
): Promise<Lived> {
  const { scenario, mood, neighbours, seed } = history
  const world = await openWorld(await beginningOf(scenario, mood), folder, mood, seed)
  const runs: Ended[][] = []
  const faults: PlannedFault[] = []
  const hadFault = (name: Fault) => faults.some(({ fault }) => fault === name)
  /** Whether what was begun here cannot be told from what others began: pubctl stops then, and says so. */
  const isLeftToPeople = () =>
    mayStop(mood) ||
    (scenario.hotFolder !== undefined && (hadFault('torn write') || hasForgotten())) ||
    // What the service has made since is then older than this machine believes.
    (hadFault('clock forward') && isKnownByTime(mood))
  const isFolderLeft = () => scenario.hotFolder !== undefined && isLeftToPeople()
  const held = { scenario, mood, world, isLeftToPeople }
  const goings = new Set<Going>()
  let turn = 0
  /** Once all is done, nothing goes wrong any more. */
  let isDone = false
  const isEndured =
    history.faults.length <= 1 &&
    history.faults.every(({ fault }) => !mayEndEarly(fault)) &&
    !scenario.mayEndEarly &&
    !mayStop(mood)
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
    const isWhole = args === scenario.command
    const { beside = [] } = scenario
    // Whoever stops it has seen how slow the service is.
    const stopsAfter = scenario.stopsAfter && scenario.stopsAfter * (mood.slow ? 3 : 1)
    const all: readonly Run[] = [
      ...[{ machine: 0 }, ...others].map(each => ({
        args,
        stopsAfter: isWhole ? stopsAfter : undefined,
        ...each,
      })),
      ...(isWhole ? beside : []),
    ]
    const started = all.map((each, process) => ({
      ...each,
      args: filled(each.args, world, each.machine),
      faultAt: faultAt(process),
    }))
    const ended = await world.runAll(started)
    runs.push(ended)
    world.giveUpLocks()
    // Not every command waits for what has arrived.
    if (scenario.check || scenario.isQueue) await world.wait(10 * minute)
    const mustHaveAll =
      isWhole && beside.length === 0 && !scenario.next && !scenario.isQueue && !mayRepeat() && !isFolderLeft()
    for (const each of ended) holdsAfter(each, held, mustHaveAll)
    return ended
  }
  /** What a machine could not write down, as a warning has said, it cannot know. */
  const isUnknowing = (told = runs) => told.flat().some(({ err }) => err.includes('cannot be resumed'))
  /** Nor can a later run: it leaves what is begun to people. */
  const hasForgotten = () => isUnknowing(runs.slice(0, -1))
  /** Nor can a later process, if that one was interrupted, or one that runs meanwhile. A watcher looks at the service first. */
  const mayRepeat = () =>
    scenario.hotFolder === undefined &&
    isUnknowing() &&
    (neighbours.length > 0 || runs.flat().some(({ code }) => code !== exitCodes.done))
  /** Whether the database had answered nothing yet when it was lost: that is told at once, since its address may be wrong. */
  const isBeforeDatabase = () =>
    faults.length > 0 &&
    faults.every(({ run, process, point }) => {
      const trace = runs[run]?.[process]?.trace.slice(0, point + 1) ?? []
      return trace.at(-1)?.kind === 'database' && trace.length <= firstStatement
    })
  /** Whether a neighbour on another machine has died and left something at the service. */
  const isLeftElsewhere = () =>
    neighbours.some(({ machine }, index) => {
      const { code, trace = [] } = runs[0]?.[index + 1] ?? {}
      return machine > 0 && code === null && trace.some(({ name }) => name.startsWith('POST '))
    })
  /** Whether the command, with what runs beside it, has done all. */
  const hasDoneAll = (ended: readonly Ended[]): boolean => {
    const isDone = ({ code }: Ended) => code === (scenario.stopsAfter ? stopped : exitCodes.done)
    const own = ended.length - (scenario.beside?.length ?? 0)
    const isFolderOpen = scenario.hotFolder !== undefined && !isFolderDone(held)
    const isQueueOpen = scenario.isQueue !== undefined && !isQueueDone(held)
    return (
      ended.every((each, index) => isDone(each) || (index > 0 && index < own)) &&
      !isFolderOpen &&
      !isQueueOpen
    )
  }
  const lived = (wrong: string | undefined): Lived => ({ runs, faults, wrong })
  try {
    layLater(scenario.files ?? [], world)
    let ended = await run(scenario.command, neighbours)
    if (onlyFirst) return lived(undefined)
    while (!hasDoneAll(ended)) {
      if (isEndured && !isBeforeDatabase()) {
        const what =
          faults.length > 0 ? 'one fault of the network ends the command' : 'it does not do all at once'
        throw new Error(`${what}: ${runs[0]?.[0]?.err}`)
      }
      if (runs.length >= 3 && isLeftToPeople()) {
        if (!mayRepeat()) holdsAtMostOnce(held)
        return lived(undefined)
      }
      if (scenario.mayExpire && ended.some(({ code }) => code === exitCodes.forbidden)) {
        if (!mayRepeat()) holdsAtMostOnce(held)
        return lived(undefined)
      }
      if (runs.length >= mostRuns) throw new Error(`it has not done all after ${runs.length} runs`)
      const going = history.goings[turn++] ?? history.goings.at(-1) ?? 'again'
      const mayStopHere =
        scenario.mayStopElsewhere && (goings.has('elsewhere') || isLeftElsewhere() || mayRepeat())
      if (mayStopHere && ended.some(({ code }) => code === exitCodes.partFailed)) {
        if (!mayRepeat()) holdsAtMostOnce(held)
        return lived(undefined)
      }
      // Which one is its own it cannot know where another process, which could not write it down, has made the book as well.
      if (mayRepeat() && ended.some(({ err }) => err.includes('made_unclear'))) return lived(undefined)
      goings.add(going)
      // For everybody: the service's day passes, too, so that its sessions expire.
      if (going === 'a day later') await world.wait(day)
      if (going === 'clock back') world.time.setBy(-hour)
      // Where nothing says what was to be done, nobody there could know of a request that is still on its way.
      if (going === 'elsewhere' && !isShared(scenario) && hadFault('request late'))
        await world.wait(10 * minute)
      if (going === 'elsewhere') world.moveToNewMachines()
      if (scenario.isQueue && hasFailedSteps(held)) await run(['queue', 'retry'])
      if (going === 'resume') await run(remedyOf(scenario, ended))
      ended = await run(scenario.command)
    }
    isDone = true
    if (scenario.next) {
      const [next] = await run(scenario.next)
      if (next?.code !== 0) throw new Error('what comes next fails')
    }
    if (!mayRepeat()) holdsAtEnd(held)
    if (isUnknowing() || isLeftToPeople()) return lived(undefined)
    // The journal of a machine that stopped may have lost how its last uploads ended, and that of one of several does not know what
    // another one finished; to resume them changes nothing else.
    if (hadFault('torn write') || neighbours.some(({ machine }) => machine > 0))
      await run(['uploads', 'resume', '--json'])
    const again = await run(scenario.check ?? scenario.command)
    if (scenario.check ? again[0]?.code !== exitCodes.done : !hasDoneAll(again))
      throw new Error('once it has done all, the same command fails')
    holdsAtEnd(held)
    const [list] = await run(['uploads', 'list', '--json'])
    if (list?.out.trim() !== '[]') throw new Error(`the journal has something left: ${list?.out}`)
    return lived(undefined)
  } catch (error) {
    return lived((error as Error).message.replaceAll(world.shared, '{shared}'))
  } finally {
    await world.close()
  }
}

/** To connect and to send a statement are the first points of a worker. */
const firstStatement = 2

/** The exit code after SIGTERM. */
const stopped = 143

/** What a person runs who reads what was said. */
const remedyOf = ({ remedyIn }: Scenario, ended: readonly Ended[]): readonly string[] =>
  remedyIn?.(ended.map(({ err }) => err).join('')) ?? ['uploads', 'resume', '--json']

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
      known.get(key) ?? live(calm(scenario, mood), place, true).then(({ runs }) => runs[0]?.[0]?.trace ?? [])
    known.set(key, found)
    return await found
  }
}

/** Every way in which one thing can go wrong at a point, and in which it can go on after it. */
type WaysAt = (point: Point, scenario: Scenario, mood: Mood) => readonly { fault: Fault; going: Going }[]

export const allWaysAt: WaysAt = (point, scenario, mood) =>
  singleFaultsAt(point).flatMap(fault => goingsAfter(fault, scenario, mood).map(going => ({ fault, going })))

/** One of them at each point: what goes wrong changes from point to point, and how it goes on from fault to fault. */
export function waysInTurn(): WaysAt {
  const turns = new Map<string, number>()
  const nextOf = <T>(all: readonly T[], name: string): T => {
    const turn = turns.get(name) ?? 0
    turns.set(name, turn + 1)
    return all[turn % all.length] as T
  }
  return (point, scenario, mood) => {
    const possible = singleFaultsAt(point)
    const fault = nextOf(possible, possible.join())
    return [{ fault, going: nextOf(goingsAfter(fault, scenario, mood), fault) }]
  }
}

/** The histories of a scenario in which one thing goes wrong once, at each of its points, and the one in which nothing does. */
export async function withOneFault(
  scenario: Scenario,
  mood: Mood,
  place: Place,
  waysAt: WaysAt,
): Promise<{ points: readonly Point[]; histories: readonly History[] }> {
  const nothing = calm(scenario, mood)
  const { runs } = await live(nothing, place, true)
  const reached = (runs[0] ?? []).flatMap(({ trace }, process) =>
    trace.map((point, index) => ({ process, index, point })),
  )
  // What the service answers makes no difference to the disk.
  const points = reached.filter(({ point }) => !showsInAnswers(mood) || point.kind === 'network')
  const histories = points.flatMap(({ process, index, point }) =>
    waysAt(point, scenario, mood).map(({ fault, going }) => ({
      ...nothing,
      goings: [going],
      faults: [{ run: 0, process, point: index, fault }],
    })),
  )
  return { points: points.map(({ point }) => point), histories: [nothing, ...histories] }
}

/** How a scenario may go on after a fault. */
const goingsAfter = (fault: Fault, scenario: Scenario, mood: Mood): readonly Going[] => {
  const ways = showsInAnswers(mood) || !mayEndEarly(fault) ? [] : scenario.goings
  return goings.filter(going => going === 'again' || ways.includes(going))
}

const singleFaultsAt = ({ kind, name }: Point): readonly Fault[] =>
  kind === 'network'
    ? networkFaults
    : kind === 'database'
      ? databaseFaults
      : /^write(File)? .*\.lock$/.test(name)
        ? [...diskFaults, ...writeFaults, ...lockFaults]
        : /^(write|appendFile|commit)/.test(name)
          ? [...diskFaults, ...writeFaults]
          : diskFaults

/** What may go wrong at a point among several things. */
const faultsAt = (point: Point): readonly Fault[] => [...singleFaultsAt(point), ...lastingFaults]

/** A service that says nothing for so long is given up. */
const mayEndEarly = (fault: Fault | number): boolean =>
  typeof fault === 'number' || /^die|late$|full$|^torn|^lock/.test(fault)
