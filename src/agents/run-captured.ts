import { Readable } from 'node:stream'
import { hideSecrets } from '../cli/output/secrets.ts'
import { type ExitCode, Interrupted } from '../system/errors.ts'
import type { MayRead } from '../system/may-read.ts'
import type { World } from '../system/world.ts'

/** Runs a command line of pubctl in a world, as the process does, and returns its exit code. */
export type RunLine = (argv: readonly string[], world: World) => Promise<ExitCode>

/** What a command printed, without secrets. */
export interface Captured {
  readonly exitCode: ExitCode
  readonly out: string
  readonly err: string
  /** Whether more was printed than is kept. */
  readonly isCut: boolean
}

/** How much of the result of a command is kept, and of its messages, in characters. */
const [mostOut, mostErr] = [4_000_000, 100_000]

/**
 * Runs a command line with nothing to read from, which opens only files that `mayRead` permits, and keeps what it prints. It
 * ends early when the signal is aborted.
 */
export async function runCaptured(
  runLine: RunLine,
  argv: readonly string[],
  world: World,
  signal: AbortSignal,
  mayRead: MayRead,
): Promise<Captured> {
  const stop = new AbortController()
  const interrupt = () =>
    stop.abort(signal.reason instanceof Interrupted ? signal.reason : new Interrupted('SIGINT'))
  if (signal.aborted) interrupt()
  else signal.addEventListener('abort', interrupt, { once: true })
  const [out, err] = [keep(mostOut), keep(mostErr)]
  const own: World = {
    ...{ env: world.env, home: world.home, platform: world.platform, clock: world.clock, mayRead },
    ...(world.onProgress && { onProgress: world.onProgress }),
    ...(world.processingTimeout && { processingTimeout: world.processingTimeout }),
    ...{ stdin: Readable.from([]), stdout: out.stream, stderr: err.stream, signal: stop.signal },
  }
  try {
    const exitCode = await runLine(argv, own)
    const hide = hideSecrets(own)
    return { exitCode, out: hide(out.text()), err: hide(err.text()), isCut: out.isCut() || err.isCut() }
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

function keep(most: number) {
  const parts: string[] = []
  let length = 0
  return {
    stream: {
      write(text: string | Uint8Array, done: (error?: NodeJS.ErrnoException | null) => void) {
        const part = typeof text === 'string' ? text : Buffer.from(text).toString()
        if (length <= most) parts.push(part)
        length += part.length
        // Whoever only reads ends as if the reader of a pipe were gone.
        done(length > most ? Object.assign(new Error('nobody reads on'), { code: 'EPIPE' }) : undefined)
      },
    },
    text: () => parts.join('').slice(0, most),
    isCut: () => length > most,
  }
}
