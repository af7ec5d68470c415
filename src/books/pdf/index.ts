import { Worker } from 'node:worker_threads'
import { workerPath } from '../../system/worker-path.ts'
import { type Book, emptyBook } from '../book.ts'
import type { OpenFile } from '../file.ts'
import { isIsbn } from '../isbn.ts'
import { readXmp } from './xmp.ts'

export interface PdfOutlineItem {
  title: string
  depth: number
}

/** What pdf.js finds in a document; texts are as its Info dictionary and its catalog have them. */
export interface PdfFacts {
  pages: number
  title?: string
  author?: string
  subject?: string
  language?: string
  /** Encrypted, and yet it opens without a password. */
  isEncrypted: boolean
  /** The metadata stream, as XML. */
  xmp?: string
  outline: PdfOutlineItem[]
}

/** Why a document could not be read: the name of an error of pdf.js, or the limit that it met, `memory` or `time`. */
export interface PdfError {
  error: string
  message: string
}

/**
 * How long pdf.js may take to be loaded, and then to look at one document, in milliseconds; and by how many bytes the
 * process may grow while it does, at first and when it is tried again.
 */
const limits = {
  loading: 10_000,
  reading: 1700,
  watchInterval: 3,
  heapMebibytes: 48,
  growth: 40 * 2 ** 20,
  secondGrowth: 20 * 2 ** 20,
}

/** Reads a PDF by pdf.js, in a thread that is ended when it takes too long or too much memory. */
export async function readPdf(file: OpenFile): Promise<Book> {
  const book = emptyBook('PDF', 'application/pdf')
  let found = await oneAtATime(() => examine(file, limits.growth))
  // Something else in this process may have taken the memory.
  if ('error' in found && found.error === 'memory')
    found = await oneAtATime(() => examine(file, limits.secondGrowth))
  if ('error' in found) await addPdfError(book, found, file)
  else Object.assign(book, fieldsOf(found, book.problems))
  return book
}

let lastReading: Promise<unknown> = Promise.resolve()

/** One document at a time, since the memory of the process is all that can be watched. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const reading = lastReading.then(work)
  lastReading = reading.catch(() => undefined)
  return reading
}

function fieldsOf(found: PdfFacts, problems: Book['problems']): Partial<Book> {
  const warn = (code: string, message: string) => void problems.push({ severity: 'warning', code, message })
  const xmp = readXmp(found.xmp)
  const title = xmp.title ?? collapsed(found.title)
  const authors = xmp.creators.length > 0 ? xmp.creators : namesIn(found.author)
  const language = collapsed(found.language) ?? xmp.language
  const isbn = xmp.isbns.find(isIsbn)
  const description = xmp.description ?? collapsed(found.subject)
  if (!title) warn('title_missing', 'The PDF has no title in its metadata.')
  if (authors.length === 0) warn('author_missing', 'The PDF has no author in its metadata.')
  if (!language) warn('language_missing', 'The PDF has no language in its metadata.')
  if (xmp.isbns.length > 0 && !isbn) warn('isbn_invalid', 'The ISBN in the PDF is not valid.')
  if (found.isEncrypted) {
    warn('pdf_restricted', 'The PDF is encrypted. It opens without a password, but restricts some uses.')
  }
  return {
    ...(title && { title, titles: [{ text: title }] }),
    authors,
    creators: authors.map(name => ({ name, roles: [] })),
    ...(language && { language }),
    ...(isbn && { isbn }),
    ...(xmp.publisher && { publisher: xmp.publisher }),
    ...(description && { description }),
    ...(xmp.identifier && { identifier: xmp.identifier }),
    pageCount: found.pages,
    navigation: withPaths(found.outline),
  }
}

/** The Info dictionary has one text for all authors, and semicolons between them; commas belong to names. */
const namesIn = (author: string | undefined): string[] =>
  (author ?? '').split(';').flatMap(name => collapsed(name) ?? [])

const collapsed = (text: string | undefined): string | undefined =>
  text?.replace(/[\s\0]+/g, ' ').trim() || undefined

function withPaths(outline: readonly PdfOutlineItem[]): Book['navigation'] {
  const path: number[] = []
  return outline.map(({ title, depth }) => {
    path.length = Math.min(path.length, depth + 1)
    path[depth] = (path[depth] ?? -1) + 1
    return { title: collapsed(title) ?? '', depth, path: [...path] }
  })
}

async function addPdfError(book: Book, { error, message }: PdfError, file: OpenFile): Promise<void> {
  const add = (severity: 'error' | 'warning', code: string, text: string) =>
    void book.problems.push({ severity, code, message: text })
  if (error === 'PasswordException') {
    book.drm = 'password'
    add('error', 'pdf_password', 'The PDF opens only with a password.')
  } else if (/encryption/i.test(message)) {
    book.drm = (await isAdept(file)) ? 'Adobe ADEPT' : 'unknown'
    const by = book.drm === 'unknown' ? 'a method that is not known' : book.drm
    add('error', 'drm', `The PDF is protected by ${by}.`)
  } else if (error === 'memory' || error === 'time') {
    add('warning', 'pdf_unexamined', `${message}, so its metadata is not known.`)
  } else add('error', 'pdf_damaged', `The PDF cannot be read (${message.replace(/\.$/, '')}).`)
}

/** Whether Adobe's handler is named near the end of the file, where the dictionaries of a PDF are. */
async function isAdept(file: OpenFile): Promise<boolean> {
  const end = Buffer.alloc(256 * 1024)
  await file.read(end, Math.max(0, file.bytes - end.length))
  return end.includes('EBX_HANDLER')
}

async function examine({ fd, bytes }: OpenFile, growth: number): Promise<PdfFacts | PdfError> {
  const worker = new Worker(workerPath('pdf-worker'), {
    workerData: { fd, bytes },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMebibytes, maxYoungGenerationSizeMb: 4 },
    // Flags for the program are not for the thread.
    execArgv: [],
    // What pdf.js writes to its console is not for users.
    stdout: true,
    stderr: true,
  })
  const timers: NodeJS.Timeout[] = []
  try {
    return await new Promise<PdfFacts | PdfError>((resolve, reject) => {
      const end = (error: 'memory' | 'time') =>
        resolve({ error, message: error === 'time' ? 'It took too long' : 'It took too much memory' })
      let isReady = false
      timers.push(setTimeout(() => end('time'), limits.loading))
      worker.on('message', (message: PdfFacts | PdfError | 'ready') => {
        if (message !== 'ready') return resolve(message)
        isReady = true
        timers.push(setTimeout(() => end('time'), limits.reading))
        // The limit of a thread's heap leaves out the buffers that a stream is unpacked into.
        const most = process.memoryUsage.rss() + growth
        const watch = () => process.memoryUsage.rss() > most && end('memory')
        timers.push(setInterval(watch, limits.watchInterval))
      })
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') end('memory')
        // Once pdf.js is loaded, an error is about the document.
        else if (isReady) resolve({ error: error.name, message: error.message })
        else reject(error)
      })
      worker.on('exit', () => resolve({ error: 'exit', message: 'the thread that reads it ended early' }))
    })
  } finally {
    for (const timer of timers) clearTimeout(timer)
    await worker.terminate()
  }
}
