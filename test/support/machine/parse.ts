import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { createProgram } from '../../../src/program.ts'
import { realWorld } from '../../../src/system/world.ts'

/** Parses a command line with the real parser, runs nothing, and gives the path of the command it would have run. */
export async function parse(words: readonly string[]): Promise<string> {
  let ran = ''
  const world = realWorld(() => new AbortController().signal)
  const note = async (command: CommandUnknownOpts) => {
    const names: string[] = []
    for (let each: CommandUnknownOpts | null = command; each?.parent; each = each.parent)
      names.unshift(each.name())
    ran = names.join(' ')
  }
  const root = createProgram(
    world,
    () => undefined,
    () =>
      async (...args) =>
        await note(args.at(-1) as CommandUnknownOpts),
    async () => 0,
  )
  await root.parseAsync(words, { from: 'user' })
  return ran
}
