import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Mood, showsInAnswers, usual } from './moods.ts'
import type { Laid, Scenario } from './scenarios.ts'
import { makeService } from './service.ts'
import { type Beginning, openWorld, type SimulatedWorld } from './world.ts'

/** The beginning of each history of a scenario, in each mood of the service. */
export type BeginningOf = (scenario: Scenario, mood: Mood) => Promise<Beginning>

/** No history has this seed: what is random at the beginning comes in none of them again. */
const ownSeed = 2 ** 31

/** Finds each beginning out once, and keeps it in a folder: to get there takes longer than most histories. */
export async function beginningsIn(folder: string): Promise<BeginningOf> {
  const empty = { folder: mkdtempSync(join(folder, 'beginning-')), passed: 0 }
  await makeService(join(empty.folder, 'service'))
  const known = new Map<string, Promise<Beginning>>()
  const make = async ({ before = [], files = [] }: Scenario, mood: Mood): Promise<Beginning> => {
    const world = await openWorld(empty, folder, mood, ownSeed)
    for (const { from, to, after } of files) if (after === undefined) lay(from, join(world.home(), to))
    for (const { args, into } of before) {
      const { code, out, err } = await world.run({ args: filled(args, world) })
      if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
      if (into !== undefined) writeFileSync(join(world.shared, into), out)
    }
    return await world.leave()
  }
  return async (scenario, mood) => {
    if (!scenario.before && !scenario.files) return empty
    // What shows in answers alone leaves nothing behind.
    const own = showsInAnswers(mood) ? usual : mood
    const key = `${scenario.name}, ${own.name}`
    const found = known.get(key) ?? make(scenario, own)
    known.set(key, found)
    return await found
  }
}

function lay(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** Has somebody put those files somewhere that come later, each in two steps. */
export function layLater(files: readonly Laid[], { home, time }: SimulatedWorld): void {
  for (const { from, to, after } of files) {
    if (after === undefined) continue
    const path = join(home(), to)
    const content = readFileSync(from)
    time.clock.after(after, () => writeFileSync(path, content.subarray(0, content.length / 2)))
    time.clock.after(after + 3000, () => writeFileSync(path, content))
  }
}

/** A command line in which the placeholders have their values. */
export const filled = (
  args: readonly string[],
  { shared, home, service }: SimulatedWorld,
  machine = 0,
): string[] =>
  args.map(word =>
    word
      .replace('{shared}', shared)
      .replace('{home}', () => home(machine))
      .replace('{publication}', () => service.held()[0]?.id ?? ''),
  )
