import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clearLine, cursorTo, moveCursor } from 'node:readline'
import { PassThrough, Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { World } from '../../../src/system/world.ts'
import { canary, findNoSecret } from './canary.ts'
import { folderVariables } from './home.ts'
import { withSandbox } from './new-sandbox.ts'
import { removeFolder } from './remove-folder.ts'

// The built program, loaded as the process loads it: the tests run what users run. Its types are those of its source.
const { main, realWorld, Interrupted } = createRequire(import.meta.url)(
  '../../../dist/main.js',
) as typeof import('../../../src/main.ts')

/** What a signal is aborted with. */
export { Interrupted }

export interface Result {
  code: number
  out: string
  err: string
}

type Answer = readonly [question: RegExp, keys: string]

export interface Options {
  env?: Record<string, string>
  stdin?: string
  /** Makes stdin, stdout and stderr terminals of so many columns. */
  columns?: number
  /** What a person at the terminal types once each question is shown. */
  answers?: readonly Answer[]
  signal?: AbortSignal
  clock?: World['clock']
  /** Called with what was printed so far, each time something is. */
  onOut?: (text: string) => void
}

class Screen extends Writable {
  text = ''
  onWrite = () => {}
  cursorTo = (x: number, y?: number) => cursorTo(this, x, y as number)
  moveCursor = (dx: number, dy: number) => moveCursor(this, dx, dy)
  clearLine = (direction: -1 | 0 | 1) => clearLine(this, direction)
  /** A prompt that is over ends its output, which does nothing to the stream of a process. */
  override end = () => this
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk
    this.onWrite()
    done()
  }
}

const screen = (columns: number | undefined) =>
  Object.assign(new Screen(), columns === undefined ? {} : { isTTY: true as const, columns })

/** What a person types at a terminal, each answer once its question stands on the screen. */
function typing(answers: readonly Answer[], shown: Screen): Readable {
  const keys = Object.assign(new PassThrough(), { setRawMode: () => keys })
  const left = [...answers]
  let read = 0
  shown.onWrite = () => {
    const [question, typed] = left[0] ?? []
    if (!question?.test(shown.text.slice(read))) return
    read = shown.text.length
    left.shift()
    setImmediate(() => keys.write(typed))
  }
  return keys
}

/** A folder of its own for one test, gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-test-'))
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** A person's machine: pubctl with a home, by default one of its own, in which one command follows another. */
export function machine(env: Record<string, string> = {}, home = temporaryFolder()) {
  const run = async (args: readonly string[], options: Options = {}): Promise<Result> => {
    const [stdout, stderr] = [screen(options.columns), screen(options.columns)]
    stdout.onWrite = () => options.onOut?.(stdout.text)
    const given = options.answers
      ? typing(options.answers, stderr)
      : Readable.from(options.stdin === undefined ? [] : [options.stdin])
    const stdin = Object.assign(given, { isTTY: options.columns !== undefined })
    // An explicit profile beats the key of the environment, so the canary is there and must never be seen.
    const isSandbox = args[0] === '--profile' && args[1] === 'sandbox'
    const world: World = {
      ...realWorld(() => options.signal ?? new AbortController().signal),
      env: {
        PUBCTL_SANDBOX_DELAY: '5ms',
        PUBCTL_KEYCHAIN: 'off',
        ...(isSandbox ? { PUBCTL_API_KEY: canary } : {}),
        ...folderVariables(home),
        ...env,
        ...options.env,
      },
      ...(options.clock ? { clock: options.clock } : {}),
      home,
      stdin,
      stdout,
      stderr,
    }
    withSandbox(args, world)
    const code = await main(args, world)
    const keys = [world.env['PUBCTL_API_KEY'], args.includes('--api-key-file') ? options.stdin : undefined]
    findNoSecret(
      keys.filter(key => key !== undefined),
      stdout.text + stderr.text,
      home,
      args.join(' '),
    )
    return { code, out: stdout.text, err: stderr.text }
  }
  return {
    home,
    /** Runs one command line, given as its arguments. */
    run,
    /** The same against the sandbox. */
    sandbox: (args: readonly string[], options?: Options) => run(['--profile', 'sandbox', ...args], options),
  }
}
