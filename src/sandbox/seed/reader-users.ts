import { backlist, summaryOfBacklist } from '../store/backlist.ts'
import type { ReaderUserRecord } from '../store/reader-users.ts'

type History = NonNullable<ReaderUserRecord['readingHistory']>

/** Readers with a name; the first book of each one's history is the one they read last. */
const named: readonly ReaderUserRecord[] = [
  reader('ru_noor', 'user', 'library.publisher.example', [
    read('pride', '2025-03-02', '2025-04-11', 14, 0.62, 'Chapter 38', 'page 214'),
    read('alice', '2025-02-01', '2025-02-09', 5, 1, 'Alice’s Evidence', 'page 96'),
    read('sherlock', '2025-01-20', '2025-01-31', 9, 0.4, 'The Red-Headed League'),
  ]),
  reader('ru_jonas', 'user', 'school.publisher.example', [
    read('faust', '2025-02-17', '2025-04-02', 11, 0.35, 'Studierzimmer', '71'),
    read('moby', '2025-01-16', '2025-02-12', 7, 0.12, 'The Chapel', 'page 41'),
  ]),
  reader('ru_kiosk', 'device', 'library.publisher.example', [
    read('alice', '2025-01-18', '2025-04-12', 58, 0.21, 'Down the Rabbit-Hole', 'page 12'),
  ]),
  reader('ru_marie', 'user', 'library.publisher.example', [
    read('miserables', '2025-01-21', '2025-04-08', 33, 0.48, 'Marius', 'page 702'),
    read('pride', '2025-01-16', '2025-01-20', 4, 0.09, 'Chapter 5', 'page 28'),
  ]),
]

/** So many that there is something to count. Most have left a book early, and every fifth has read it to its end. */
const others = Array.from({ length: 60 }, (_, at) => {
  const book = (backlist[at % backlist.length] as (typeof backlist)[number]).publicationId
  const lastDay = 9 + ((at * 53) % 350)
  const progression = at % 5 === 0 ? 1 : Math.round(100 * (((at * 37) % 60) / 60) ** 1.4) / 100
  return reader(`ru_${at + 101}`, at % 9 === 0 ? 'device' : 'user', 'library.publisher.example', [
    read(
      book.replace('pub_backlist_', ''),
      dayOf2025(Math.max(0, lastDay - 3 - ((at * 7) % 45))),
      dayOf2025(lastDay),
      1 + ((at * 5) % 19),
      progression,
      `Chapter ${1 + Math.floor(progression * 24)}`,
    ),
  ])
})

export const seededReaderUsers: readonly ReaderUserRecord[] = [...named, ...others]

/** The date of a day of 2025, counted from 0. */
function dayOf2025(day: number): string {
  return new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)
}

function read(
  book: string,
  firstDay: string,
  lastDay: string,
  sessionCount: number,
  progression: number,
  chapterTitle: string,
  pageLabel?: string,
): History[number] {
  const lastReadAtIso = `${lastDay}T20:15:00.000Z`
  return {
    ...summaryOfBacklist(`pub_backlist_${book}`),
    firstReadAtIso: `${firstDay}T18:05:00.000Z`,
    lastReadAtIso,
    sessionCount,
    bookmarkCount: sessionCount % 4,
    highlightCount: sessionCount % 7,
    progression,
    chapterTitle,
    pageLabel: pageLabel ?? null,
    // Audio has no pages.
    pageIndex: pageLabel === undefined ? null : Number(/\d+/.exec(pageLabel)?.[0]) - 1,
    progressUpdatedAtIso: lastReadAtIso,
  }
}

function reader(
  id: string,
  kind: 'user' | 'device',
  host: string,
  history: [History[number], ...History],
): ReaderUserRecord {
  const [current] = history
  const { firstReadAtIso, lastReadAtIso, sessionCount, progressUpdatedAtIso, ...rest } = current
  const {
    bookmarkCount,
    highlightCount,
    progression,
    chapterTitle,
    pageLabel,
    pageIndex,
    ...currentPublication
  } = rest
  const origin = `https://${host}`
  return {
    id,
    deviceId: `device_${id}`,
    userId: kind === 'user' ? `reader_${id}` : null,
    lastOrigin: origin,
    lastSessionStartedAt: lastReadAtIso,
    numberOfBooksRead: history.length,
    currentPublicationId: current.publicationId,
    origins: [origin],
    currentPublication,
    readingHistory: history,
    currentReadingState: {
      sessionId: `session_${id}_${sessionCount}`,
      bookmarkCount,
      highlightCount,
      progression,
      chapterTitle,
      pageLabel,
      pageIndex,
      updatedAtIso: progressUpdatedAtIso,
    },
  }
}
