import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
// Before pdf.js itself, which looks for these as it is loaded.
import './dom-stubs.ts'
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import {
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PdfError, PdfFacts, PdfOutlineItem } from './facts.ts'

/** Reads only the parts of the file that pdf.js asks for. */
class FileRanges extends PDFDataRangeTransport {
  readonly #fd: number
  readonly #bytes: number
  constructor(fd: number, bytes: number) {
    super(bytes, readRange(fd, 0, Math.min(bytes, 4096)))
    this.#fd = fd
    this.#bytes = bytes
  }
  override requestDataRange(begin: number, end: number): void {
    this.onDataRange(begin, readRange(this.#fd, begin, Math.min(end, this.#bytes)))
  }
}

function readRange(fd: number, begin: number, end: number): Uint8Array {
  const chunk = new Uint8Array(Math.max(0, end - begin))
  readSync(fd, chunk, 0, chunk.length, begin)
  return chunk
}

async function facts(document: PDFDocumentProxy): Promise<PdfFacts> {
  const { info, metadata } = await document.getMetadata()
  const said = info as Record<string, unknown>
  const text = (name: string): { [key: string]: string } => {
    const value = said[name]
    return typeof value === 'string' && value.trim() ? { [name.toLowerCase()]: value.slice(0, 10_000) } : {}
  }
  const xmp = metadata?.getRaw() as unknown
  return {
    pages: document.numPages,
    ...text('Title'),
    ...text('Author'),
    ...text('Subject'),
    ...text('Language'),
    isEncrypted: typeof said['EncryptFilterName'] === 'string',
    isTagged: (await document.getMarkInfo().catch(() => null))?.Marked === true,
    showsTitle: await showsTitle(document),
    ...(typeof xmp === 'string' && { xmp: xmp.slice(0, 2 ** 20) }),
    outline: outlineOf(await document.getOutline().catch(() => null)),
  }
}

async function showsTitle(document: PDFDocumentProxy): Promise<boolean> {
  const preferences: { DisplayDocTitle?: unknown } | null = await document
    .getViewerPreferences()
    .catch(() => null)
  return preferences?.DisplayDocTitle === true
}

/** The outline flattened to titles and depths, as far as a person would read it. */
function outlineOf(items: readonly { title: string; items: unknown[] }[] | null): PdfOutlineItem[] {
  const flat: PdfOutlineItem[] = []
  const add = (within: readonly { title: string; items: unknown[] }[], depth: number): void => {
    for (const { title, items } of within) {
      if (flat.length >= 10_000 || depth >= 32) return
      flat.push({ title: title.slice(0, 1000), depth })
      add(items as { title: string; items: unknown[] }[], depth + 1)
    }
  }
  add(items ?? [], 0)
  return flat
}

const errorOf = (error: unknown): PdfError => ({
  error: (error as Error).name,
  message: (error as Error).message,
})

async function examine(path: string): Promise<PdfFacts | PdfError> {
  // Not blocking, in case the file has been replaced by a pipe since it was looked at.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const task = getDocument({
    range: new FileRanges(fd, fstatSync(fd).size),
    disableAutoFetch: true,
    disableStream: true,
    // A page of memory: the pages of a book lie apart, and more than is asked for would be kept.
    rangeChunkSize: 4096,
    useSystemFonts: false,
    isEvalSupported: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    return await facts(await task.promise)
  } finally {
    await task.destroy()
    closeSync(fd)
  }
}

// pdf.js runs whole within this thread, of which the process does nothing but watch it.
parentPort?.on('message', (path: string) => {
  void examine(path)
    .catch(errorOf)
    .then(found => parentPort?.postMessage(found))
})
parentPort?.postMessage('ready')
