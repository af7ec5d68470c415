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
  const ready = new Promise<void>(resolve =>
    thread.once('message', () => {
      usualMemory = process.memoryUsage.rss()
      resolve()
    }),
  )
  const ended = new Promise<ApartError>(resolve => {
    thread.once('error', ({ code, name: error, message }: NodeJS.ErrnoException) => {
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(limitError('memory'))
      // Once the reader is loaded, an error is about the document.
      else resolve(usualMemory === undefined ? limitError('crash') : { error, message })
    })
    thread.once('exit', () => resolve(limitError('crash')))
  })

  process.on('message', async (question: object) => {
    process.send?.(await examine(question))
    if (thread.threadId < 0) process.disconnect()
  })
  process.on('disconnect', () => process.exit())
  // A terminal sends them to the program and to this process, and it is the program that decides what ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)

  async function examine(question: object): Promise<object> {
    const timers: NodeJS.Timeout[] = []
    const limit = new Promise<ApartError>(resolve => {
      const end = (met: Limit) => resolve(limitError(met))
      const loading = setTimeout(end, limits.loading, 'time')
      timers.push(loading)
      void ready.then(() => {
        clearTimeout(loading)
        timers.push(setTimeout(end, limits.reading, 'time'))
        timers.push(setInterval(watch(end), limits.watchInterval))
      })
    })
    const found = ready.then(
      () =>
        new Promise<object>(resolve => {
          thread.once('message', resolve)
          thread.postMessage(question)
        }),
    )
    try {
      return await Promise.race([found, limit, ended])
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
