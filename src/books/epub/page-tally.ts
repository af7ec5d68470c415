import { countWords } from './count-words.ts'
import { attributesOf, isUndescribed, type PageListener } from './page-facts.ts'

/** What is counted in the pages of a book, whatever rules there are. */
export interface PageTally {
  readonly words: number
  /** How often an image is shown, and how often without saying what stands in its place. */
  readonly images: number
  readonly unnamedImages: number
  /** Begins another page. */
  page(): PageListener
}

export function createPageTally(): PageTally {
  let [words, images, unnamedImages] = [0, 0, 0]
  return {
    get words() {
      return words
    },
    get images() {
      return images
    },
    get unnamedImages() {
      return unnamedImages
    },
    page() {
      let unread = 0
      return {
        opened({ local, attributes }) {
          if (isUnread(local)) unread += 1
          if (local !== 'img') return
          images += 1
          if (isUndescribed(attributesOf(attributes))) unnamedImages += 1
        },
        text(text) {
          if (unread === 0) words += countWords(text)
        },
        closed(local) {
          if (isUnread(local)) unread -= 1
        },
      }
    },
  }
}

/** Whether the text of an element is none of the page. */
const isUnread = (name: string): boolean => name === 'script' || name === 'style' || name === 'title'
