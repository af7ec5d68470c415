import { randomFrom } from '../support/machine/random.ts'
import type { History, Neighbour, PlannedFault } from './history.ts'
import type { Mood } from './moods.ts'
import { isShared, type Scenario } from './scenarios.ts'

/** What seeds choose from; `pointsOf` is how many points the command has while nothing goes wrong. */
interface Choices {
  readonly scenarios: readonly Scenario[]
  readonly moods: readonly Mood[]
  pointsOf(scenario: Scenario, mood: Mood): Promise<number>
}

/** At most so many milliseconds pass before another process starts. */
const longestDelay = 3000

/** Whether a second process of the same command has nothing to do with the first one, or runs beside it anyway. */
const isAlone = ({ beside, next, hotFolder, wantedAssets }: Scenario): boolean =>
  [beside, next, hotFolder, wantedAssets].some(each => each !== undefined)

/** The history of a seed: two faults or more, in one run or in several, while one process runs or up to three do. */
export async function historyOf(seed: number, { scenarios, moods, pointsOf }: Choices): Promise<History> {
  // Its own numbers, so that what the history itself draws does not depend on how it was chosen.
  const random = randomFrom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const several = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

  const scenario = oneOf(scenarios)
  const mood = oneOf(moods)
  const points = await pointsOf(scenario, mood)
  const ways = ['again', ...scenario.goings] as const
  const goings = several(1 + below(3), () => oneOf(ways))
  const most = isAlone(scenario) ? [0] : [0, 0, 0, 1, 1, 2]
  const neighbours = several(oneOf(most), (): Neighbour => {
    return { machine: isShared(scenario) ? below(2) : 0, startsAfter: below(longestDelay) }
  })
  const faults = several(2 + below(3), (): PlannedFault => {
    const run = oneOf([0, 0, 0, 1, 2])
    const process = run === 0 ? below(neighbours.length + 1) : 0
    // What was begun has fewer points left.
    return { run, process, point: below(run === 0 ? points : points / 2), fault: random() }
  })
  return { scenario, mood, goings, neighbours, faults, seed }
}
