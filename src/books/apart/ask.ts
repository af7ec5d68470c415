import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { notStarted } from '../../system/errors.ts'
import { whenFree } from '../../system/files.ts'
import { type WorkerName, workerPath } from '../../system/worker-path.ts'
import { type ApartError, isLimitError, limitError } from './limits.ts'

interface Apart {
  readonly program: WorkerName
  /** What it is, for who learns that it cannot be started. */
  readonly what: string
  readonly args?: readonly string[]
}

/** A process that is asked about documents. */
interface OpenApart<Question, Answer> {
  /** Asks it about one document. With an aborted signal, it is ended, and the signal's reason is thrown. */
  ask(question: Question, signal?: AbortSignal): Promise<Answer | ApartError>
  /** Ends it. The next question starts another one. */
  close(): void
}

/**
 * A process that reads documents, one at a time. It stays for the next one, since to load what reads them takes longer than to
 * read most, and ends with this one. V8 aborts a process whose memory fills faster than it can end the thread that fills it, and
 * that must not be the process that uploads books.
 */
export function openApart<Question extends object, Answer extends object>(
  apart: Apart,
): OpenApart<Question, Answer> {
  let running: ChildProcess | undefined
  let lastReading: Promise<unknown> = Promise.resolve()

  return {
    ask(question, signal) {
      const reading = lastReading.then(async () => {
        const isFresh = !running?.connected
        const found = await ask(question, signal)
        // The documents before it may have used up the memory that it lacked. Its time is its own.
        const isItsOwn = isFresh || !isLimitError(found) || found.error === 'time'
        return isItsOwn ? found : await ask(question, signal)
      })
      lastReading = reading.catch(() => undefined)
      return reading
    },
    close: () => running && stop(running),
  }

  async function ask(question: Question, signal?: AbortSignal): Promise<Answer | ApartError> {
    signal?.throwIfAborted()
    const child = running?.connected ? running : await started(apart)
    running = child
    child.ref()
    child.channel?.ref()
    let end = () => {}
    const found = await new Promise<Answer | ApartError>(resolve => {
      const crash = () => resolve(limitError('crash'))
      end = () => {
        stop(child)
        crash()
      }
      child.once('message', resolve).once('exit', crash).once('error', crash)
      child.send(question, error => error && crash())
      signal?.addEventListener('abort', end, { once: true })
    })
    signal?.removeEventListener('abort', end)
    child.removeAllListeners()
    if (isLimitError(found)) stop(child)
    // It must not keep the program from ending.
    child.unref()
    child.channel?.unref()
    signal?.throwIfAborted()
    return found
  }

  function stop(child: ChildProcess): void {
    child.on('error', () => undefined)
    child.kill('SIGKILL')
    running = undefined
  }
}

/** A process that runs. Throws UsageFailure `not_started`. */
async function started(apart: Apart): Promise<ChildProcess> {
  try {
    return await whenFree(async () => {
      const child = start(apart)
      if (child.pid === undefined) throw (await once(child, 'error'))[0]
      return child
    })()
  } catch (error) {
    throw notStarted(apart.what, error)
  }
}

/** Not by execa, whose processes are promises of their ends: this one is asked again and again, and its end awaited by nobody. */
function start({ program, args = [] }: Apart): ChildProcess {
  return fork(workerPath(program), args, {
    // Neither flags for the program nor its keys are for this process; Windows starts none without its SystemRoot.
    execArgv: [],
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
    // What a reader writes to its console is not for users, and neither is how V8 aborts.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}
