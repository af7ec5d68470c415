import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/system/world.ts'
import { feature, meta, sound } from '../books/accessible-book.ts'
import { honestMetadata, makeBook } from '../books/make-book.ts'
import { bookOf, catalogue, isbns } from '../catalogues/catalogue.ts'
import { honestTitles, manyReaders, readingFigures, titlesNamed } from '../servers/reading-figures.ts'
import { serve } from '../servers/server.ts'
import { machine } from './pubctl.ts'

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

/** Somewhere in November 2026. */
const clock = {
  ...systemClock,
  now: () => Date.UTC(2026, 10, 22, 12),
  sleep: async () => undefined,
}

/** A report about honest titles and a given number of readers, or about hostile ones with everything that can be missing. */
export async function reportPage(isHostile: boolean): Promise<string> {
  const names = isHostile ? [...hostileTitles, ...honestTitles] : honestTitles
  const { url } = await serve(
    readingFigures({
      titles: titlesNamed(names),
      readers: manyReaders,
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
  for (const [at, title] of [...hostileTitles, ...honestTitles].entries()) {
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

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`

/** A plan with steps of most kinds: to do, and to settle before. */
export async function planPage(): Promise<string> {
  const { book, write, plan, upload, home } = catalogue()
  const header = 'title,author,isbn,file,description'
  const row = (name: string, author: string, isbn: string, description: string) =>
    `${name},${author},${isbn},${name}.epub,${description}`
  const names = ['Alpha', 'Beta', 'Gamma'] as const
  for (const name of names) book(`${name}.epub`, bookOf(name))
  write(header, ...names.map((name, at) => row(name, 'Ann', isbns[at] as string, 'First')))
  await upload()
  book('Alpha.epub', bookOf('Alpha', 'Corrected.'))
  for (const [at, title] of hostileTitles.entries())
    book(
      `${at}<b>.epub`,
      at === 2 ? Buffer.from('no book') : bookOf(`Hostile ${at}`, title.length.toString()),
    )
  write(
    header,
    ...[row('Alpha', 'Ann', isbns[0], 'First'), row('Beta', 'Ann', isbns[1], 'Second')],
    row('Gamma', 'Bob', isbns[2], 'Second'),
    ...hostileTitles.map((title, at) => `${quote(title)},,,${at}<b>.epub,`),
    ...['9781861972712', '9781861972712', '9780131103627'].map((isbn, at) => `Book ${at},Ann,${isbn},,`),
  )
  const file = join(home, 'plan.html')
  await plan('--orphans', '--report', file)
  return file
}

/** A report on books of which each says something else about accessibility, and most say nothing. */
export async function accessibilityPage(): Promise<string> {
  const { run, folder, home } = withBooks()
  const put = (name: string, metadata: string, parts = {}) =>
    writeFileSync(join(folder, name), makeBook({ ...parts, metadata: honestMetadata + metadata }))
  put('declared.epub', sound)
  put('incomplete.epub', meta('schema:accessMode', 'textual') + feature(escaped('<script>alert(1)</script>')))
  put('contradictory.epub', sound + feature('alternativeText') + feature('longDescription'), {
    entries: {
      'EPUB/one.xhtml':
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><p><img src="a.png"/></p></body></html>',
    },
  })
  const file = join(home, 'accessibility.html')
  await run(['inspect', folder, '--accessibility', '--report', file])
  return file
}
