import { resolve } from 'node:path'
import { given } from '../../system/given.ts'
import type { OpenFile } from '../../system/open-file.ts'
import { type AccessibilityFacts, emptyAccessibilityMetadata } from '../accessibility-facts.ts'
import { type ApartError, isLimitError } from '../apart/limits.ts'
import { type Book, emptyBook, type ReadOptions, type Severity } from '../book.ts'
import type { ProblemCode } from '../hints.ts'
import { isIsbn } from '../isbn.ts'
import { languageFault } from '../language.ts'
import type { Problems } from '../problems.ts'
import { examinePdf } from './examine.ts'
import type { PdfFacts, PdfOutlineItem } from './facts.ts'
import { readXmp, type Xmp } from './xmp.ts'

/**
 * Reads a PDF by pdf.js, in a process that is ended when it takes too long or too much memory. What is wrong with it is
 * added to `problems`.
 */
export async function readPdf(
  path: string,
  file: OpenFile,
  problems: Problems,
  { accessibility = false, outline = false, rights = false }: ReadOptions = {},
): Promise<Book> {
  const book = emptyBook('PDF', 'application/pdf')
  const found = await examinePdf({ path: resolve(path), wantsOutline: outline })
  if ('error' in found) await addPdfError(book, found, file, problems)
  else {
    const xmp = readXmp(found.xmp)
    Object.assign(book, fieldsOf(found, xmp, problems))
    if (rights) book.rights = xmp.rights
    if (accessibility) book.accessibility = accessibilityOfPdf(found)
  }
  return book
}

function fieldsOf(found: PdfFacts, xmp: Xmp, problems: Problems): Partial<Book> {
  const warn = (code: ProblemCode, message: string) => problems.push({ severity: 'warning', code, message })
  const title = xmp.title ?? collapsed(found.title)
  const authors = xmp.creators.length > 0 ? xmp.creators : namesIn(found.author)
  const language = collapsed(found.language) ?? xmp.language
  const isbn = xmp.isbns.find(isIsbn)
  const description = xmp.description ?? collapsed(found.subject)
  if (!title) warn('title_missing', 'The PDF has no title in its metadata.')
  if (authors.length === 0) warn('author_missing', 'The PDF has no author in its metadata.')
  const fault = language === undefined ? undefined : languageFault(language)
  if (!language) warn('language_missing', 'The PDF has no language in its metadata.')
  if (fault) problems.push({ severity: 'warning', ...fault })
  if (xmp.isbns.length > 0 && !isbn) warn('isbn_invalid', 'The ISBN in the PDF is not valid.')
  if (found.hasEncryptedAttachments) {
    const message = 'The files attached to the PDF open only with a password.'
    problems.push({ severity: 'information', code: 'pdf_attachments_encrypted', message })
  }
  if (found.isEncrypted && found.forbidden.length > 0) {
    warn('pdf_restricted', `The PDF does not allow its readers ${listed(found.forbidden)}.`)
  }
  return {
    ...(title && { title, titles: [{ text: title }] }),
    authors,
    creators: authors.map(name => ({ name, roles: [] })),
    ...given({ language, isbn, publisher: xmp.publisher, description, identifier: xmp.identifier }),
    pageCount: found.pages,
    navigation: withPaths(found.outline),
  }
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

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

async function addPdfError(book: Book, found: ApartError, file: OpenFile, problems: Problems): Promise<void> {
  const { error, message } = found
  const add = (severity: Severity, code: ProblemCode, text: string) =>
    problems.push({ severity, code, message: text })
  if (error === 'PasswordException') {
    book.drm = 'password'
    add('error', 'pdf_password', 'The PDF opens only with a password.')
  } else if (/encryption/i.test(message)) {
    book.drm = (await isAdept(file)) ? 'Adobe ADEPT' : 'unknown'
    const by = book.drm === 'unknown' ? 'a method that is not known' : book.drm
    add('error', 'drm', `The PDF is protected by ${by}.`)
  } else if (isLimitError(found)) {
    add('warning', 'pdf_unexamined', `${message}, so its metadata is not known.`)
  } else add('error', 'pdf_damaged', `The PDF cannot be read (${message.replace(/\.$/, '')}).`)
}

/** Whether Adobe's handler is named near the end of the file, where the dictionaries of a PDF are. */
async function isAdept(file: OpenFile): Promise<boolean> {
  const end = Buffer.alloc(256 * 1024)
  await file.read(end, Math.max(0, file.bytes - end.length))
  return end.includes('EBX_HANDLER')
}

/** What a PDF says of its accessibility. */
function accessibilityOfPdf({ isTagged, showsTitle, language, xmp }: PdfFacts): AccessibilityFacts {
  const pdfUaPart = pdfUaPartIn(xmp ?? '')
  return {
    metadata: emptyAccessibilityMetadata(),
    pdf: {
      isTagged,
      ...(language && { language }),
      showsTitle,
      ...(pdfUaPart !== undefined && { pdfUaPart }),
    },
  }
}

/**
 * The part of PDF/UA in a metadata stream, as an element or as an attribute. Its prefix is always this one, and without the
 * prefix the name is that of PDF/A's part as well.
 */
export const pdfUaPartIn = (xmp: string): string | undefined => {
  const [, attribute, element] =
    /\bpdfuaid:part(?:\s{0,20}=\s{0,20}["'](\d{1,3})["']|>\s{0,20}(\d{1,3})\s{0,20}<)/.exec(xmp) ?? []
  return attribute ?? element
}
