import { openApart } from '../apart/ask.ts'
import type { PdfFacts, PdfQuestion } from './facts.ts'

/**
 * Reads a PDF in a process of its own. There is one only: it reads a document in a few milliseconds, less than a service takes to
 * answer, and it takes about 100 MiB beside the 70 of the program. With a second one they would take more than the 200 MiB
 * that they may.
 */
export const { ask: examinePdf } = openApart<PdfQuestion, PdfFacts>({
  program: 'pdf-process',
  what: 'the process that reads PDFs',
})
