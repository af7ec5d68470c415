import { answerFromThread } from '../apart/answer.ts'

/**
 * EPUBCheck takes some hundred milliseconds for most books, and twenty seconds of the processor's time for the first one, until
 * it has read its schemas; then it has 800 MiB, most of them in its heap.
 */
answerFromThread(
  'epubcheck-worker',
  {
    loading: 60_000,
    reading: 10 * 60_000,
    processorTime: 4 * 60_000,
    watchInterval: 50,
    heapMebibytes: 2048,
    youngMebibytes: 64,
    growth: 3 * 2 ** 30,
  },
  process.argv.slice(2),
)
