import { Worker } from 'node:worker_threads'
import { workerPath } from '../../../system/worker-path.ts'

/** What the thread says: the value of the text, or why it has none. */
export type YamlAnswer = { readonly value: unknown } | { readonly error: string }

/**
 * What a text may take: processor time in milliseconds and memory in MiB, to begin with and for each MiB of it. Sheets take a
 * fourth of the time and half of the memory.
 */
const limits = {
  time: { start: 2000, perMebibyte: 4000 },
  memory: { start: 64, perMebibyte: 200 },
  watchInterval: 20,
}

type Limit = (typeof limits)['time' | 'memory']

/**
 * The value of a YAML text, of which all scalars are texts. It is parsed in a thread with limits, since a small text can be made to
 * take minutes. Throws the error of the parser, one that says which limit was met, and the signal's reason.
 */
export async function parseYaml(text: string, signal: AbortSignal | undefined): Promise<unknown> {
  signal?.throwIfAborted()
  const most = (limit: Limit): number =>
    Math.ceil(limit.start + (Buffer.byteLength(text) / 2 ** 20) * limit.perMebibyte)
  const thread = new Worker(workerPath('yaml-worker'), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: most(limits.memory), maxYoungGenerationSizeMb: 16 },
    // The thread does not inherit Node's flags.
    execArgv: [],
  })
  let watching: NodeJS.Timeout | undefined
  let stop = () => {}
  try {
    const answer = await new Promise<YamlAnswer>((resolve, reject) => {
      stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop, { once: true })
      thread.once('message', resolve)
      thread.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('memory') : error),
      )
      thread.once('exit', () => reject(new Error('its reader ended early')))
      watching = setInterval(
        watch(most(limits.time), () => reject(tooMuch('time'))),
        limits.watchInterval,
      )
    })
    if ('error' in answer) throw new Error(answer.error)
    return answer.value
  } finally {
    clearInterval(watching)
    signal?.removeEventListener('abort', stop)
    await thread.terminate()
  }
}

/** Calls `end` once a text has taken too long, by the clock and by the processor, which a busy machine gives to others as well. */
function watch(most: number, end: () => void): () => void {
  const [began, before] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(before)
    if (performance.now() - began > most && (user + system) / 1000 > most) end()
  }
}

const tooMuch = (what: string): Error =>
  new Error(`it takes more ${what} than a sheet of its size; write it more simply, or as CSV`)
