import type { AccessibilityMetadata } from './accessibility-facts.ts'
import type { ColourSpace } from './image.ts'
import type { MarkedKind, Marks } from './marks.ts'
import type { WrittenValue } from './rights-facts.ts'

/** A file of the zip. */
export interface EntryFacts {
  /** Its name within the zip. */
  path: string
  bytes: number
  /** As the manifest declares it; absent where it does not list the file. */
  mediaType?: string
  isInSpine: boolean
  /** The navigation document of EPUB 3, of which not all is asked that is asked of pages. */
  isNavigation: boolean
  isObfuscated: boolean
  isEncrypted: boolean
  /** Of images, in pixels. */
  width?: number
  height?: number
  colourSpace?: ColourSpace
  /** Of pages, styles and scripts that were read. */
  kind?: MarkedKind
  marks?: Marks
  /** Of pages: the language of the root element, and how many words there are. */
  language?: string
  words?: number
}

/** What the table of contents, landmarks and the like of an EPUB are. */
interface ContentsFacts {
  entries: number
  /** Of the deepest entry, from 1; 0 without entries. */
  depth: number
  /** The pages of the spine that an entry leads to. */
  reached: ReadonlySet<string>
  /** The kinds of landmarks (epub:type). */
  landmarks: readonly string[]
  /** The kinds of references in the guide of EPUB 2. */
  guide: readonly string[]
  /** How many pages of a printed book are listed. */
  pages: number
  hasDocument: boolean
  hasNcx: boolean
}

/** What is in an EPUB, as rules ask for it. */
export interface ContentFacts {
  files: readonly EntryFacts[]
  /** By the name of the property or element, such as `dc:title`, `dcterms:modified` or `schema:accessMode`. */
  metadata: ReadonlyMap<string, readonly WrittenValue[]>
  contents: ContentsFacts
  accessibility: AccessibilityMetadata
  /** Pages, styles and scripts that were not read, or not to their end. */
  unread: readonly string[]
}
