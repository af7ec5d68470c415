import { closeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
// Before pdf.js itself, which looks for these as it is loaded.
import './stubs.ts'
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import {
  getDocument,
  type PDFDocumentProxy,
  PermissionFlag,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { openFileSync } from '../../system/open-file.ts'
import type { ApartError } from '../apart/limits.ts'
import type { PdfFacts, PdfOutlineItem, PdfQuestion } from './facts.ts'
import { documentSource, hasPlainContent } from './file-ranges.ts'

async function facts(document: PDFDocumentProxy, wantsOutline: boolean): Promise<PdfFacts> {
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
    forbidden: forbiddenBy(await document.getPermissions().catch(() => null)),
    isTagged: (await document.getMarkInfo().catch(() => null))?.Marked === true,
    showsTitle: await showsTitle(document),
    ...(typeof xmp === 'string' && { xmp: xmp.slice(0, 2 ** 20) }),
    outline: wantsOutline ? outlineOf(await document.getOutline().catch(() => null)) : [],
  }
}

/** What a document lets its readers do, by the flags of what it permits; null permits all. */
const uses: readonly (readonly [number, string])[] = [
  [PermissionFlag.PRINT, 'to print'],
  [PermissionFlag.COPY, 'to copy'],
  [PermissionFlag.COPY_FOR_ACCESSIBILITY, 'to have the text read aloud'],
  [PermissionFlag.MODIFY_ANNOTATIONS, 'to make notes'],
  [PermissionFlag.FILL_INTERACTIVE_FORMS, 'to fill in forms'],
  [PermissionFlag.MODIFY_CONTENTS, 'to change the content'],
  [PermissionFlag.ASSEMBLE, 'to take out pages'],
]

const forbiddenBy = (permitted: readonly number[] | null): string[] =>
  permitted === null ? [] : uses.flatMap(([flag, use]) => (permitted.includes(flag) ? [] : [use]))

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

const errorOf = (error: unknown): ApartError => ({
  error: (error as Error).name,
  message: (error as Error).message,
})

async function examine({ path, wantsOutline }: PdfQuestion): Promise<PdfFacts | ApartError> {
  const fd = openFileSync(path)
  try {
    return await read(fd, wantsOutline, false)
  } catch (error) {
    if ((error as Error).name !== 'PasswordException' || !hasPlainContent(fd)) throw error
    return { ...(await read(fd, wantsOutline, true)), hasEncryptedAttachments: true }
  } finally {
    closeSync(fd)
  }
}

async function read(fd: number, wantsOutline: boolean, isDecrypted: boolean): Promise<PdfFacts> {
  const task = getDocument({
    ...documentSource(fd, isDecrypted),
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
    return await facts(await task.promise, wantsOutline)
  } finally {
    await task.destroy()
  }
}

// pdf.js runs whole within this thread, of which the process does nothing but watch it.
parentPort?.on('message', (question: PdfQuestion) => {
  void examine(question)
    .catch(errorOf)
    .then(found => parentPort?.postMessage(found))
})
parentPort?.postMessage('ready')
