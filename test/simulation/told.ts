import { type Going, goings, type History, type Lived, type Neighbour, type PlannedFault } from './history.ts'
import { faults } from './process.ts'
import type { Told } from './shortest.ts'

/** A name as it stands in a command line. */
const asWord = (name: string): string => name.replaceAll(' ', '-')

/** The one of a list that a word of the command line means. */
export function named<T>(all: readonly T[], word: string, nameOf: (each: T) => string): T {
  const found = all.find(each => asWord(nameOf(each)) === asWord(word))
  if (found === undefined) throw new Error(`there is no ${word}: ${all.map(nameOf).join(', ')}`)
  return found
}

/** `0.1.12:die-after` is what goes wrong in run 0, process 1, at point 12. */
export function faultFrom(word: string): PlannedFault {
  const [, run, process, point, name = ''] = /^(\d+)\.(\d+)\.(\d+):(.+)$/.exec(word) ?? []
  const fault = named(faults, name, each => each)
  return { run: Number(run), process: Number(process), point: Number(point), fault }
}

/** `1@500` is a process on machine 1 that starts 500 ms later. */
export function neighbourFrom(word: string): Neighbour {
  const [machine, startsAfter] = word.split('@').map(Number)
  return { machine: machine ?? 0, startsAfter: startsAfter ?? 0 }
}

export const goingFrom = (word: string): Going => named(goings, word, each => each)

/** The command line that replays a history. */
export function commandOf({ scenario, mood, goings, neighbours, faults, seed }: History): string {
  const words = [
    ['--scenario', asWord(scenario.name)],
    ['--mood', asWord(mood.name)],
    ...(seed === 1 ? [] : [['--seed', `${seed}`]]),
    ...goings.map(going => ['--going', asWord(going)]),
    ...neighbours.map(({ machine, startsAfter }) => ['--neighbour', `${machine}@${startsAfter}`]),
    ...faults.map(({ run, process, point, fault }) => [
      '--fault',
      `${run}.${process}.${point}:${asWord(`${fault}`)}`,
    ]),
  ]
  return ['npm run simulate -- --replay', ...words.flat()].join(' ')
}

/** The command line that lives through the history of a seed again; what was chosen of says which one that is. */
export function seedCommandOf(
  seed: number,
  { scenario, mood }: { scenario?: string; mood?: string },
): string {
  const chosen = Object.entries({ scenario, mood }).flatMap(([name, value]) => value && [`--${name}`, value])
  return ['npm run simulate --', ...chosen, '--seed', `${seed}`].join(' ')
}

/** What goes wrong in a history, and what happened up to the end of the world. */
export function textOf({ history, lived }: Told): string {
  const { scenario, mood, goings, neighbours } = history
  const { runs, faults, wrong } = lived
  const points = faults.map(({ run, process, point, fault }) => {
    const of = neighbours.length === 0 ? '' : `, process ${process}`
    return `${fault} at point ${point} of run ${run}${of}: ${runs[run]?.[process]?.trace[point]?.name}`
  })
  const ways = goings.length === 0 ? '' : `, ${goings.join(', ')}`
  const crowd = neighbours.map(
    ({ machine, startsAfter }) => `the same at once on machine ${machine}, ${startsAfter} ms later`,
  )
  const story = runs.map(processes =>
    processes.map(({ args, code }) => `${args.slice(0, 2).join(' ')} → ${code ?? 'died'}`).join(' | '),
  )
  const said = runs.at(-1)?.at(-1)
  return [
    `${scenario.name} (${mood.name}${ways})`,
    ...[...crowd, ...points, story.join(', '), wrong?.trim() ?? '', `${said?.out}${said?.err}`.trim()].map(
      line => `  ${line.replaceAll('\n', '\n  ')}`,
    ),
  ].join('\n')
}

/** Everything that happened in a history, in order: the same each time. */
export function traceOf({ runs, wrong }: Lived): string {
  const lines = runs.flatMap((processes, run) =>
    processes.flatMap(({ args, code, trace }, process) => [
      `run ${run}, process ${process}: ${args.slice(0, 2).join(' ')} → ${code ?? 'died'}`,
      ...trace.map(
        ({ at, name, fault }, point) =>
          `  ${point} ${at} ms ${name}${fault === undefined ? '' : ` ← ${fault}`}`,
      ),
    ]),
  )
  return [...lines, wrong === undefined ? 'all holds' : `wrong: ${wrong}`].join('\n')
}
