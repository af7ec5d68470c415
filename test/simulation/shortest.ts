import type { History, Lived, TracesOf } from './history.ts'
import type { Scenario } from './scenarios.ts'

/** A history and what happened in it. */
export interface Told {
  readonly history: History
  readonly lived: Lived
}

/** Each attempt is a history of its own, so that there must be an end. */
const mostAttempts = 300

/**
 * The shortest history that still fails: everything is left out, one after the other, that it fails without. `calmer` gives
 * histories of smaller scenarios in which the same may go wrong.
 */
export async function shortestOf(
  { history, lived }: Told,
  { live, calmer }: { live(history: History): Promise<Lived>; calmer(told: Told): Promise<History[]> },
): Promise<Told> {
  let told: Told = { history: { ...history, faults: lived.faults }, lived }
  let attempts = 0
  const stillFails = async (candidate: History): Promise<boolean> => {
    if (attempts++ >= mostAttempts) return false
    const outcome = await live(candidate)
    if (kindOf(outcome) !== kindOf(lived)) return false
    told = { history: { ...candidate, faults: outcome.faults }, lived: outcome }
    return true
  }
  const anyFails = async (candidates: readonly History[]): Promise<boolean> => {
    for (const each of candidates) if (await stillFails(each)) return true
    return false
  }
  while ((await anyFails(shorter(told.history))) || (await anyFails(await calmer(told))));
  return told
}

/** In what way it failed: what follows the first words differs with what was left out. */
const kindOf = ({ wrong }: Lived): string | undefined => wrong?.slice(0, 20)

/** Histories with one thing less. */
function shorter(history: History): History[] {
  const { goings, neighbours, faults, seed } = history
  const without = <T>(all: readonly T[], index: number): T[] => all.filter((_, each) => each !== index)
  return [
    ...neighbours.map((_, index) => ({
      ...history,
      neighbours: without(neighbours, index),
      // The processes after it move up by one.
      faults: faults
        .filter(({ process }) => process !== index + 1)
        .map(each => ({ ...each, process: each.process - (each.process > index + 1 ? 1 : 0) })),
    })),
    ...faults.map((_, index) => ({ ...history, faults: without(faults, index) })),
    ...goings.map((_, index) => ({ ...history, goings: without(goings, index) })),
    ...goings.flatMap((going, index) =>
      going === 'again' ? [] : [{ ...history, goings: goings.with(index, 'again') }],
    ),
    ...neighbours.flatMap((each, index) =>
      each.startsAfter === 0 && each.machine === 0
        ? []
        : [{ ...history, neighbours: neighbours.with(index, { machine: 0, startsAfter: 0 }) }],
    ),
    ...(seed === 1 ? [] : [{ ...history, seed: 1 }]),
  ]
}

/**
 * The same in smaller scenarios: what went wrong in the first run goes wrong there at the point of the same name, if there is one
 * for each.
 */
export async function inSmaller(
  { history, lived }: Told,
  scenarios: readonly Scenario[],
  tracesOf: TracesOf,
): Promise<History[]> {
  const { mood, faults, neighbours } = history
  const smaller = scenarios.slice(0, scenarios.indexOf(history.scenario))
  const histories: History[] = []
  for (const scenario of smaller) {
    if (history.goings.some(going => going !== 'again' && !scenario.goings.includes(going))) continue
    if (neighbours.some(({ machine }) => machine > 0)) continue
    const trace = await tracesOf(scenario, mood)
    const moved = faults.map(fault => {
      const name = lived.runs[fault.run]?.[fault.process]?.trace[fault.point]?.name
      const point = trace.findIndex(each => each.name === name)
      return fault.run > 0 ? fault : { ...fault, point }
    })
    if (moved.every(({ point }) => point !== -1)) histories.push({ ...history, scenario, faults: moved })
  }
  return histories
}
