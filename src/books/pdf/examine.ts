import { openApart } from '../apart/ask.ts'
import type { PdfFacts, PdfQuestion } from './facts.ts'

/**
 * Reads a PDF in a process of its own. Each thread has one only: it reads a document in a few milliseconds, less than a service
 * takes to answer, and it takes 60 MiB and more beside the 50 of the program.
 */
export const { ask: examinePdf } = openApart<PdfQuestion, PdfFacts>({
  program: 'pdf-process',
  what: 'the process that reads PDFs',
})
