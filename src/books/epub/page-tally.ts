import type { ScannedDocument } from './scanned-document.ts'

/** What is counted in the pages of a book, whatever rules there are. */
export interface PageTally {
  readonly words: number
  /** How often an image is shown, and how often without saying what stands in its place. */
  readonly images: number
  readonly unnamedImages: number
  /** Adds what was counted in another page. */
  add(page: ScannedDocument): void
}

export const createPageTally = (): PageTally => {
  const tally = {
    words: 0,
    images: 0,
    unnamedImages: 0,
    add({ words, images, unnamedImages }: ScannedDocument) {
      tally.words += words
      tally.images += images
      tally.unnamedImages += unnamedImages
    },
  }
  return tally
}
