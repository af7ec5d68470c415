import { Worker } from 'node:worker_threads'
import { workerPath } from '../../system/worker-path.ts'
import { limitError, type PdfError, type PdfFacts, type PdfLimit, type PdfQuestion } from './facts.ts'

/**
 * How long pdf.js may take to be loaded, and then for one document, in milliseconds; how much processor time a document
 * may take; and how many bytes the process may grow by from when pdf.js is loaded.
 */
const limits = {
  loading: 30_000,
  reading: 15_000,
  processorTime: 1700,
  watchInterval: 3,
  heapMebibytes: 48,
  growth: 40 * 2 ** 20,
}

// This process answers each question with what the document says. It watches the thread in which pdf.js runs, and its parent ends
// it once a document has met a limit.
const thread = new Worker(workerPath('pdf-worker'), {
  resourceLimits: { maxOldGenerationSizeMb: limits.heapMebibytes, maxYoungGenerationSizeMb: 4 },
})
let usualMemory: number | undefined
const ready = new Promise<void>(resolve =>
  thread.once('message', () => {
    usualMemory = process.memoryUsage.rss()
    resolve()
  }),
)
const ended = new Promise<PdfError>(resolve => {
  thread.once('error', ({ code, name, message }: NodeJS.ErrnoException) => {
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(limitError('memory'))
    // Once pdf.js is loaded, an error is about the document.
    else resolve(usualMemory === undefined ? limitError('crash') : { error: name, message })
  })
  thread.once('exit', () => resolve(limitError('crash')))
})

process.on('message', async (question: PdfQuestion) => {
  process.send?.(await examine(question))
  if (thread.threadId < 0) process.disconnect()
})
process.on('disconnect', () => process.exit())
// A terminal sends them to the program and to this process, and it is the program that decides what ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)

async function examine(question: PdfQuestion): Promise<PdfFacts | PdfError> {
  const timers: NodeJS.Timeout[] = []
  const limit = new Promise<PdfError>(resolve => {
    const end = (name: PdfLimit) => resolve(limitError(name))
    timers.push(setTimeout(end, limits.loading, 'time'))
    void ready.then(() => {
      timers.push(setTimeout(end, limits.reading, 'time'))
      timers.push(setInterval(watch(end), limits.watchInterval))
    })
  })
  const found = ready.then(
    () =>
      new Promise<PdfFacts | PdfError>(resolve => {
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
function watch(end: (limit: PdfLimit) => void): () => void {
  const before = process.cpuUsage()
  const most = (usualMemory ?? 0) + limits.growth
  return () => {
    // The limit of a thread's heap leaves out the buffers that a stream is unpacked into.
    if (process.memoryUsage.rss() > most) end('memory')
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1000 > limits.processorTime) end('time')
  }
}
