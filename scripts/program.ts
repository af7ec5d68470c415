import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { World } from '../src/system/world.ts'

/** The project. Once bundled, the scripts are in node_modules/, which lies beside their own folder. */
export const root = join(import.meta.dirname, '..')

/** What the built program prints on a command line. */
export const run = (...args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'bin/pubctl.js'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, PUBCTL_API_KEY: '' },
  })

interface Place extends Pick<World, 'env' | 'home' | 'clock'> {
  /** How wide the terminal is, if it is at one. */
  readonly columns?: number
}

/** What the built program shows, run in this process with a clock of its own. */
export async function runHere(args: readonly string[], { columns, ...place }: Place): Promise<string> {
  const { main, realWorld } = createRequire(import.meta.url)(
    '../dist/main.js',
  ) as typeof import('../src/main.ts')
  const texts = { out: '', err: '' }
  const written = (name: keyof typeof texts) =>
    new Writable({
      write(chunk: Buffer, _: string, done: () => void) {
        texts[name] += chunk
        done()
      },
    })
  const atTerminal = columns === undefined ? {} : { isTTY: true as const, columns }
  const world: World = {
    ...realWorld(() => new AbortController().signal),
    ...place,
    stdin: Readable.from([]),
    stdout: Object.assign(written('out'), atTerminal),
    // What is under way is in no picture.
    stderr: written('err'),
  }
  const code = await main(args, world)
  if (code !== 0) throw new Error(`pubctl ${args.join(' ')} ended with ${code}: ${texts.err}`)
  return texts.out
}
