import type { Checked } from '../../service/contract/endpoint.ts'
import type { Edition, Publication, PublicationSummary } from '../../service/contract/publication.ts'

/**
 * Books that were published before the sandbox was made. They appear in reading histories and analytics and can be got
 * by id, but they are not listed and cannot be changed. `dailyViews` is the number on a usual day, and `course` how that changes
 * over the years.
 */
export interface BacklistBook {
  publicationId: string
  title: string
  author: string[]
  language: string
  type: 'EPUB' | 'PDF' | 'Audio'
  isReflowable: boolean
  dailyViews: number
  course: Course
}

/** `terms` means read at universities, and `peaks` that something makes people read it for some weeks each year. */
export type Course = 'steady' | 'growing' | 'fading' | 'holidays' | 'terms' | 'peaks'

export const backlist: readonly BacklistBook[] = [
  book('pride', 'Pride and Prejudice', 'Jane Austen', 'English', 'EPUB', 31, 'steady'),
  book('moby', 'Moby-Dick; or, The Whale', 'Herman Melville', 'English', 'EPUB', 26, 'fading'),
  book('alice', 'Alice’s Adventures in Wonderland', 'Lewis Carroll', 'English', 'EPUB', 24, 'holidays'),
  book('faust', 'Faust: Eine Tragödie', 'Johann Wolfgang von Goethe', 'German', 'PDF', 12, 'terms'),
  book('miserables', 'Les Misérables', 'Victor Hugo', 'French', 'EPUB', 13, 'peaks'),
  book(
    'sherlock',
    'The Adventures of Sherlock Holmes',
    'Arthur Conan Doyle',
    'English',
    'Audio',
    14,
    'growing',
  ),
  book('quijote', 'El ingenioso hidalgo don Quijote', 'Miguel de Cervantes', 'Spanish', 'EPUB', 10, 'terms'),
  book('commedia', 'La Divina Commedia', 'Dante Alighieri', 'Italian', 'PDF', 6, 'steady'),
  book('lieues', 'Vingt mille lieues sous les mers', 'Jules Verne', 'French', 'EPUB', 8, 'holidays'),
  book('cat', '吾輩は猫である: I Am a Cat', 'Natsume Sōseki', 'English', 'EPUB', 5, 'growing'),
]

function book(
  name: string,
  title: string,
  author: string,
  language: string,
  type: BacklistBook['type'],
  dailyViews: number,
  course: Course,
): BacklistBook {
  return {
    ...{ publicationId: `pub_backlist_${name}`, title, author: [author], language, type },
    ...{ isReflowable: type === 'EPUB', dailyViews, course },
  }
}

export const findOnBacklist = (publicationId: string): BacklistBook | undefined =>
  backlist.find(book => book.publicationId === publicationId)

/** A backlist book as a publication with its one edition; undefined for an id that is none of theirs. */
export function backlistPublication(
  id: string,
): (Checked<typeof Publication> & { editions: Checked<typeof Edition>[] }) | undefined {
  const book = findOnBacklist(id)
  if (!book) return undefined
  const { title, author, language, type, isReflowable } = book
  const edition = {
    ...{ id: `${id}_1`, type, isReflowable, title, titleSource: 'user', author },
    editionCreated: '2024-10-01T08:00:00.000Z',
    ...{ version: 1, isCurrentVersion: true, status: 'live', uploadStatus: 'available' },
    key: `backlist/${id}`,
    metadata: {},
    navigationData: [],
  }
  return { id, language, sampleItems: [], isForInternalReadingInstance: false, editions: [edition] }
}

/** A backlist book as reading histories show it. */
export function summaryOfBacklist(publicationId: string): Checked<typeof PublicationSummary> {
  const found = findOnBacklist(publicationId)
  if (!found) throw new Error(`no book ${publicationId} on the backlist`)
  const { dailyViews, course, language, ...summary } = found
  return { ...summary, status: 'live', uploadStatus: 'available', currentEditionId: `${publicationId}_1` }
}
