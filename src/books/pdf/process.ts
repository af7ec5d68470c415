import { answerFromThread } from '../apart/answer.ts'

/** pdf.js grows by a few bytes for most documents, and takes some milliseconds. */
answerFromThread('pdf-worker', {
  loading: 30_000,
  reading: 15_000,
  processorTime: 1700,
  watchInterval: 3,
  heapMebibytes: 48,
  youngMebibytes: 4,
  growth: 40 * 2 ** 20,
})
