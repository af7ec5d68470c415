import { describeAccessibility } from '../../../src/books/accessibility/index.ts'
import { type BookParts, fileOf, honestMetadata, makeBook } from './make-book.ts'
import { readBook } from './read-book.ts'

/** What is said of the accessibility of a file. */
export async function describedFile(content: Uint8Array, name?: string) {
  const found = describeAccessibility(await readBook(fileOf(content, name), { accessibility: true }))
  if (found === undefined) throw new Error('nothing could be read')
  return found
}

/** What is said of a book that has more metadata than a sound one. */
export const described = (metadata: string, parts: BookParts = {}) =>
  describedFile(makeBook({ ...parts, metadata: honestMetadata + metadata }))

export const meta = (property: string, value: string) => `<meta property="${property}">${value}</meta>`
export const oldMeta = (name: string, content: string) => `<meta name="${name}" content="${content}"/>`
export const feature = (value: string) => meta('schema:accessibilityFeature', value)
export const hazard = (value: string) => meta('schema:accessibilityHazard', value)
export const codes = (found: readonly { code: string }[]) => found.map(({ code }) => code)

export const sound = [
  meta('schema:accessMode', 'textual'),
  meta('schema:accessModeSufficient', 'textual'),
  feature('readingOrder'),
  hazard('none'),
  meta('schema:accessibilitySummary', 'All of it can be read aloud.'),
  meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.2 Level AA'),
  meta('a11y:certifiedBy', 'A Certifier'),
].join('')
