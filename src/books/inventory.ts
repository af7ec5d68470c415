/** Files of a book: how many, and the names of the first within the zip. */
export interface SomeFiles {
  count: number
  files: string[]
}

/** What is in an EPUB, in numbers. */
export interface Inventory {
  /** How many items the reading order has. */
  spine: number
  /** How many entries the table of contents has. */
  contents: number
  /** Runs of letters and digits in the text of the pages, titles aside. */
  words: number
  /** Whether there are pages that were not read, so that there may be more words and images without alternative text. */
  isPartial: boolean
  images: {
    /** How many files are images. */
    files: number
    /** How often pages show one (`img`), and how often without saying what stands in its place. */
    shown: number
    withoutAlternative: number
  }
  fonts: SomeFiles
  /** The largest first. */
  largest: { path: string; bytes: number }[]
  /** Files that the book needs for nothing, as far as its documents say; absent where scripts may ask for any file. */
  unused?: SomeFiles
}

/** How many names an inventory has of each kind. */
const named = 50

export const someFiles = (paths: readonly string[]): SomeFiles => ({
  count: paths.length,
  files: paths.slice(0, named),
})
