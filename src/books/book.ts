import type { PublicationType } from '../service/contract/publication-type.ts'
import type { AccessibilityFacts } from './accessibility-facts.ts'
import type { ContentFacts } from './content-facts.ts'
import type { Inventory } from './inventory.ts'
import type { RightsFacts } from './rights-facts.ts'

/** How grave a problem is. Errors stop an upload, warnings stop it with `--strict`, and information stops nothing. */
export type Severity = 'error' | 'warning' | 'information'

/** Something that is wrong with a book, or that its publisher should know. */
export interface Problem {
  severity: Severity
  /** A stable code for scripts. */
  code: string
  /** One sentence for a person. */
  message: string
  /** The entry of the zip, with a line where one is known: `EPUB/package.opf:12`. */
  place?: string
  /** The column in that line where one is known, from 1, in UTF-16 code units. */
  column?: number
  /** What to do about it, as a sentence. */
  hint?: string
  /** Of information that a baseline knows: how grave it is without the baseline. */
  known?: Severity
  /** Of one that stands for others: how many are not listed, and of which code, if of one. */
  unlisted?: { code?: string; count: number }
}

export interface BookTitle {
  text: string
  /** As the book has it: `main`, `subtitle`, `short`, `collection`, `edition`, `expanded`. */
  kind?: string
}

export interface Creator {
  name: string
  /** The name to sort by, such as `Wells, H. G.`. */
  fileAs?: string
  /** MARC relators, such as `aut` and `trl`, in the book's order. */
  roles: string[]
}

export interface BookCover {
  /** The image's name within the zip. */
  path: string
  /** From the image's first bytes if possible, else as the book declares it. */
  mediaType: string
  alt?: string
  bytes: number
  /** In pixels. */
  width?: number
  height?: number
  /** As the image itself says it; absent for SVG. */
  colourSpace?: 'RGB' | 'CMYK' | 'grey'
}

export interface NavigationEntry {
  title: string
  /** 0 for the outermost. */
  depth: number
  /** Positions among siblings from the outermost inwards, each from 0; `depth + 1` numbers. */
  path: number[]
}

/** The metadata of a book, and its problems. Optional fields are absent if the book does not give them. */
export interface Book {
  type: PublicationType
  mediaType: string
  /** The main title. */
  title?: string
  titles: BookTitle[]
  /** The creators' names, in the book's order. */
  authors: string[]
  creators: Creator[]
  /** The first language, as the book writes it. */
  language?: string
  /** 13 or 10 digits without hyphens, its check digit verified. */
  isbn?: string
  publisher?: string
  description?: string
  /** The book's own unique identifier, as written. */
  identifier?: string
  /** As written: `2.0` or `3.0`. */
  epubVersion?: string
  isReflowable: boolean
  /** Absent for sound. */
  layout?: 'reflowable' | 'fixed'
  spread?: 'auto' | 'both' | 'landscape' | 'none' | 'portrait'
  cover?: BookCover
  /** The table of contents, flattened in reading order. */
  navigation: NavigationEntry[]
  pageCount?: number
  /** The total playing time in seconds, as the book says it, else as its tracks play. */
  duration?: number
  /** How long the tracks of an audiobook really play, in seconds; absent where that cannot be measured of all of them. */
  playingTime?: number
  trackCount?: number
  /** The name of the protection that requires a licence or a password. */
  drm?: string
  /** Only read on request, because it takes a look into the content. */
  accessibility?: AccessibilityFacts
  /** Only read on request. */
  rights?: RightsFacts
  /** Of an EPUB. Only taken on request. */
  inventory?: Inventory
  problems: Problem[]
}

/** A book as it was read, with what others than rules do not ask for. */
export interface ReadBook extends Book {
  /** What is in an EPUB. Only gathered on request. */
  content?: ContentFacts
}

/** What is read besides the metadata that every upload needs. */
export interface ReadOptions {
  accessibility?: boolean
  /** What it says of text and data mining, and of who made it. */
  rights?: boolean
  /** Whether a file of sound is read as an audiobook, which is to be sent as it is. */
  sound?: boolean
  /** What is in an EPUB, for rules. */
  content?: boolean
  /** The same in numbers, for people. */
  inventory?: boolean
  /** The outline of a PDF, which takes as long as all else. Other formats have their table of contents in any case. */
  outline?: boolean
}

/** The fields of a book without any metadata. */
export const emptyBook = (type: PublicationType, mediaType: string): Book => ({
  type,
  mediaType,
  titles: [],
  authors: [],
  creators: [],
  isReflowable: type === 'EPUB',
  ...(type !== 'Audio' && { layout: type === 'PDF' ? 'fixed' : 'reflowable' }),
  navigation: [],
  problems: [],
})

/** Quotes a text of the book for a message, cut to 100 characters. */
export const quotedText = (text: string): string => `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`
