import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { honestMetadata, makeBook } from './make-book.ts'
import { machine } from './pubctl.ts'
import { readingFigures, titlesNamed } from './reading-figures.ts'
import { serve } from './server.ts'

/** What would run, or ask for something, if a page took it as its own. */
const hostileTitles = [
  '</svg><script>document.title="ran"</script>',
  '</title></desc></style><img src="https://tracker.example/x" onerror="document.title=\'ran\'">',
  '<a href="javascript:alert(1)" autofocus onfocus=alert(1)>a</a>',
  '"><link rel=stylesheet href=//tracker.example/x.css><meta http-equiv=refresh content="0;url=//tracker.example">',
  'right \u202e to left \u2066 and \u200b nothing',
  `${'Donaudampfschifffahrtsgesellschaft'.repeat(9)}`,
  'كتاب الحروف',
]

const titles = [
  'Pride and Prejudice',
  'Alice’s Adventures in Wonderland',
  'The Adventures of Sherlock Holmes',
  'Moby-Dick; or, The Whale',
  'Les Misérables',
  'Faust: Eine Tragödie',
  'Frankenstein; or, The Modern Prometheus',
  'Dracula',
]

/** Somewhere in November 2026. */
const clock = {
  now: () => Date.UTC(2026, 10, 22, 12),
  monotonic: () => performance.now(),
  sleep: async () => undefined,
}

/** A report about honest titles and a given number of readers, or about hostile ones with everything that can be missing. */
export async function reportPage(isHostile: boolean): Promise<string> {
  const names = isHostile ? [...hostileTitles, ...titles] : titles
  const readers = Array.from({ length: 90 }, (_, at) => ((at * at) % 97) / (at % 3 === 0 ? 97 : 160))
  const { url } = await serve(
    readingFigures({
      titles: titlesNamed(names),
      readers,
      ...(isHostile && { gaps: ['2026-02'], broken: path => path === '/analytics/publications/pub_3' }),
    }),
  )
  const { run, home } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const file = join(home, 'report.html')
  const to = isHostile ? '2026-11' : '2026-10'
  const calendars = isHostile ? ['--calendar', 'pub_1', '--calendar', 'pub_2'] : []
  const args = ['analytics', 'report', '--from', '2026-01', '--to', to, '--readers', '--timeout', '1s']
  await run([...args, ...calendars, '--out', file], { clock })
  return file
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A machine with a folder of books of hostile and other titles, one of them broken. */
function withBooks() {
  const own = machine()
  const folder = join(own.home, 'books')
  mkdirSync(folder)
  for (const [at, title] of [...hostileTitles, ...titles].entries()) {
    const metadata = honestMetadata.replace('A Title', escaped(title).replace(/[\u200b-\u2066]/g, ' '))
    writeFileSync(join(folder, `book-${at}<b>.epub`), at === 2 ? 'no book' : makeBook({ metadata }))
  }
  return { ...own, folder }
}

/** The receipts of a batch. */
export async function receiptPage(): Promise<string> {
  const { sandbox, folder, home } = withBooks()
  const file = join(home, 'receipt.html')
  await sandbox(['publications', 'upload', folder, '--cover', 'none', '--report', file])
  return file
}

/** A plan with steps to do and steps that somebody has to settle. */
export async function planPage(): Promise<string> {
  const { sandbox, folder, home } = withBooks()
  const file = join(home, 'plan.html')
  const sheet = join(home, 'books.csv')
  const rows = hostileTitles.map(
    (title, at) => `"${title.replaceAll('"', '""')}",${folder}/book-${at}<b>.epub,`,
  )
  const isbns = ['9780306406157', '9780306406157', '9781861972712']
  writeFileSync(
    sheet,
    ['title,file,isbn', ...rows, ...isbns.map((isbn, at) => `Book ${at},,${isbn}`)].join('\n'),
  )
  await sandbox(['catalogue', 'plan', sheet, '--orphans', '--report', file])
  return file
}

export async function accessibilityPage(): Promise<string> {
  const { run, folder, home } = withBooks()
  const file = join(home, 'accessibility.html')
  await run(['inspect', folder, '--accessibility', '--report', file])
  return file
}
