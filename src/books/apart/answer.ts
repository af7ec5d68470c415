import { Worker } from 'node:worker_threads'
import { type WorkerName, workerPath } from '../../system/worker-path.ts'
import { type ApartError, type ApartLimits, type Limit, limitError } from './limits.ts'

/**
 * Makes this process one that answers each question of its parent with what a thread says of the document. It watches the
 * thread, which says once that it is loaded and then answers, and its parent ends it once a document has met a limit.
 */
export function answerFromThread(name: WorkerName, limits: ApartLimits, argv: readonly string[] = []): void {
  const thread = new Worker(workerPath(name), {
    argv: [...argv],
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMebibytes,
      maxYoungGenerationSizeMb: limits.youngMebibytes,
    },
  })
  let usualMemory: number | undefined
  let answered = 0
  let isOver = false
  const ready = new Promise<void>(resolve =>
    thread.once('message', () => {
      usualMemory = process.memoryUsage.rss()
      resolve()
    }),
  )
  const ended = new Promise<ApartError>(resolve => {
    let failure: NodeJS.ErrnoException | undefined
    thread.once('error', error => {
      failure = error
    })
    // Only then has an answer that was given before the error arrived; the error itself may arrive before it.
    thread.once('exit', () => resolve(whyEnded(failure)))
  })
  void ended.then(() => {
    isOver = true
  })

  process.on('message', async (question: object) => {
    process.send?.(await examine(question))
    answered++
    if (isOver) process.disconnect()
  })
  process.on('disconnect', () => process.exit())
  // A terminal sends them to the program and to this process, and it is the program that decides what ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)

  function whyEnded(failure: NodeJS.ErrnoException | undefined): ApartError {
    if (failure?.code === 'ERR_WORKER_OUT_OF_MEMORY') return limitError('memory')
    // Once the reader is loaded, an error is about the document, unless one before it may have left it behind.
    const isItsOwn = failure && usualMemory !== undefined && answered === 0
    return isItsOwn ? { error: failure.name, message: failure.message } : limitError('crash')
  }

  async function examine(question: object): Promise<object> {
    const timers: NodeJS.Timeout[] = []
    try {
      return await new Promise<object>(resolve => {
        const end = (met: Limit) => resolve(limitError(met))
        const loading = setTimeout(end, limits.loading, 'time')
        timers.push(loading)
        void ended.then(resolve)
        void ready.then(() => {
          clearTimeout(loading)
          timers.push(setTimeout(end, limits.reading, 'time'))
          timers.push(setInterval(watch(end), limits.watchInterval))
          thread.once('message', resolve)
          thread.postMessage(question)
        })
      })
    } finally {
      for (const timer of timers) clearTimeout(timer)
    }
  }

  /** Calls `end` when the document takes too much. A busy machine takes longer, but no more of the processor's time. */
  function watch(end: (limit: Limit) => void): () => void {
    const before = process.cpuUsage()
    const most = (usualMemory ?? 0) + limits.growth
    return () => {
      // The limit of a thread's heap leaves out the buffers that a stream is unpacked into.
      if (process.memoryUsage.rss() > most) end('memory')
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 > limits.processorTime) end('time')
    }
  }
}
