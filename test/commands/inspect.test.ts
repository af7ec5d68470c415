import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBook } from '../support/books/make-book.ts'
import { machine } from '../support/machine/pubctl.ts'
import { transcriptOf } from '../support/machine/transcript.ts'

/** A machine with a sound book, one with warnings, one with errors, and something else. */
async function withBooks() {
  const own = machine()
  const at = (name: string) => join(own.home, name)
  writeFileSync(at('sound.epub'), await makeExampleEpub({ title: 'Sound' }))
  writeFileSync(at('warned.epub'), makeBook({ metadata: '<dc:title>Warned</dc:title>' }))
  writeFileSync(at('broken.epub'), makeBook({ spine: '<itemref idref="missing"/>' }))
  writeFileSync(at('letter.txt'), 'Dear Sir or Madam')
  return { ...own, at }
}

it('a terminal shows a verdict for each book, then a line for each problem, the books with errors first', async () => {
  const { run, at } = await withBooks()
  const files = ['sound.epub', 'warned.epub', 'broken.epub', 'letter.txt'].map(at)
  const { code, out, err } = await run(['inspect', ...files, '--color', 'never'], { columns: 200 })
  const [table = '', ...problems] = out.trimEnd().split('\n\n')
  expect(table.split('\n').map(line => line.trim().split('  ').at(-1)?.trim())).toEqual([
    'VERDICT',
    'no problems',
    '2 warnings',
    '1 error, 1 warning',
    'cannot be read',
  ])
  expect(problems.flatMap(block => block.split('\n'))).toEqual([
    `${files[2]}: 1 error, 1 warning`,
    '  error: EPUB/package.opf:9:8: The reading order names "missing", which the manifest does not have. Name the id of an item of the manifest.',
    '  warning: EPUB/nav.xhtml:2:30: "one.xhtml" leads to a page that is not in the reading order. Add the page to the spine.',
    `${files[1]}: 2 warnings`,
    '  warning: EPUB/package.opf:3:1: The book has no author in its metadata. Add a creator to the metadata, or give one with --author.',
    '  warning: EPUB/package.opf:3:1: The book has no language in its metadata. Add a language to the metadata, or give one with --language.',
  ])
  expect(code).toBe(2)
  expect(err).toMatch(/error: 2 of 4 books have errors\n.*letter\.txt is a text file, not a book/)
})

it('the lines fit a terminal of 80 columns', async () => {
  const { run, at } = await withBooks()
  const files = ['sound', 'warned', 'broken'].map(name => at(`${name}.epub`))
  const { out } = await run(['inspect', ...files, '--color', 'never'], { columns: 80 })
  expect(out.split('\n').filter(line => line.length > 80)).toEqual([])
})

it('the table leaves out what has no room', async () => {
  const { run, at } = await withBooks()
  const title = 'The Life and Strange Surprizing Adventures of Robinson Crusoe, of York, Mariner'
  writeFileSync(at('robinson.epub'), await makeExampleEpub({ title, isbn: '9780306406157' }))
  const files = ['robinson.epub', 'warned.epub'].map(at)
  const shownAt = async (columns: number) => {
    const { out } = await run(['inspect', ...files, '--color', 'never'], { columns })
    return out.split('\n').map(line => line.split(/ {2,}/))
  }
  const [head, first] = await shownAt(60)
  expect(head).toEqual(['FILE', 'TYPE', 'TITLE', 'VERDICT'])
  expect(first?.[0]).toMatch(/^….*robinson\.epub$/)
  expect((await shownAt(300)).slice(0, 2)).toEqual([
    ['FILE', 'TYPE', 'TITLE', 'AUTHORS', 'LANGUAGE', 'ISBN', 'LAYOUT', 'VERDICT'],
    [files[0], 'EPUB', title, 'The Makers of pubctl', 'en', '9780306406157', 'reflowable', 'no problems'],
  ])
})

it('a card has everything that is known of a book', async () => {
  const { run, home, at } = await withBooks()
  const { out } = await run(['inspect', at('sound.epub'), '--color', 'never'], { columns: 100 })
  expect(out.replaceAll(home, '~')).toMatchInlineSnapshot(`
    file           ~/sound.epub
    type           EPUB
    title          Sound
    authors        The Makers of pubctl
    language       en
    publisher      Sandbox Press
    description    A small book to send first. It tells what happens to a book on its way to its
                   readers.
    epub version   3.0
    layout         reflowable
    cover          EPUB/cover.png
    cover type     image/png
    cover width    600
    cover height   900
    reading order  3 items
    contents       3 entries
    words          431
    images         1 file, shown 0 times
    fonts          none
    largest files  cover.png 2.3 kB; package.opf 1.4 kB; chapter-2.xhtml 1.3 kB
    unused files   none
    verdict        no problems
  `)
})

it('CSV has a row for each problem, and one for a book without any', async () => {
  const { run, at } = await withBooks()
  const { out } = await run([
    'inspect',
    at('broken.epub'),
    at('sound.epub'),
    '-o',
    'csv',
    '--fields',
    'title,problems.severity,problems.place,problems.code',
  ])
  expect(out).toBe(
    'title,problems.severity,problems.place,problems.code\n' +
      'A Title,error,EPUB/package.opf:9,spine_item_unknown\n' +
      'A Title,warning,EPUB/nav.xhtml:2,navigation_target_outside_spine\n' +
      'Sound,,,\n',
  )
  const { out: one } = await run(['inspect', at('broken.epub'), '-o', 'csv'])
  const [head = '', ...rows] = one.trimEnd().split('\n')
  expect(head.split(',').slice(-7)).toEqual([
    'problems.message',
    'problems.severity',
    'problems.place',
    'problems.code',
    'problems.hint',
    'problems.known',
    'problems.column',
  ])
  expect(rows).toEqual([expect.stringMatching(/Name the id/), expect.stringMatching(/Add the page/)])
})

it('NDJSON has a line for each book as it is read, also where a later one is no book', async () => {
  const { run, at } = await withBooks()
  const { code, out, err } = await run([
    'inspect',
    at('sound.epub'),
    at('letter.txt'),
    at('warned.epub'),
    '-o',
    'ndjson',
  ])
  expect(
    out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).title),
  ).toEqual(['Sound', 'Warned'])
  expect({ code, details: JSON.parse(err).error.details }).toMatchObject({
    code: 2,
    details: [{ code: 'not_a_book' }],
  })
})

it('information stops nothing, not even with --strict', async () => {
  const { run, at } = await withBooks()
  const encryption =
    '<encryption><EncryptedData><EncryptionMethod Algorithm="unheard-of"/></EncryptedData></encryption>'
  writeFileSync(at('encrypted.epub'), makeBook({ entries: { 'META-INF/encryption.xml': encryption } }))
  const { code, out } = await run(['inspect', at('encrypted.epub'), '--strict', '--json'])
  expect({ code, severity: JSON.parse(out).problems[0].severity }).toEqual({
    code: 0,
    severity: 'information',
  })
})

it('a name that says another type is an error, unless --type says what the file is', async () => {
  const { run, at } = await withBooks()
  writeFileSync(at('named.pdf'), makeBook())
  const { code, out } = await run(['inspect', at('named.pdf'), '--json'])
  expect({ code, problem: JSON.parse(out).problems[0].code }).toEqual({ code: 2, problem: 'extension_wrong' })
  expect((await run(['inspect', at('named.pdf'), '--type', 'EPUB', '--json'])).code).toBe(0)
})

it('a book with errors ends with 2, its result printed; one with warnings only under --strict', async () => {
  const { run, at } = await withBooks()
  const inspect = async (...args: string[]) => await run(['inspect', ...args, '--json'])
  const broken = await inspect(at('broken.epub'))
  expect({ ...broken, out: '' }).toMatchObject({ code: 2, err: expect.stringContaining('"book_unfit"') })
  expect(JSON.parse(broken.out).problems[0].severity).toBe('error')
  expect((await inspect(at('sound.epub'), '--strict')).code).toBe(0)
  expect((await inspect(at('warned.epub'))).code).toBe(0)
  const strict = await inspect(at('warned.epub'), at('sound.epub'), '--strict')
  expect(strict.code).toBe(2)
  expect(JSON.parse(strict.out)).toHaveLength(2)
  expect(JSON.parse(strict.err).error).toMatchObject({ message: '1 of 2 books have problems', exitCode: 2 })
})

it('a file that is no book counts with those that have errors, and is named', async () => {
  const { run, at } = await withBooks()
  const { code, out, err } = await run(['inspect', at('broken.epub'), at('letter.txt'), '--json'])
  expect({ code, count: JSON.parse(out).length }).toEqual({ code: 2, count: 1 })
  expect(JSON.parse(err).error).toMatchObject({
    code: 'book_unfit',
    message: '2 of 2 books have errors',
    details: [{ path: [at('letter.txt')], code: 'not_a_book' }],
  })
})

it('inspect', async () => {
  const { type, home } = await transcriptOf()
  writeFileSync(join(home, 'sound.epub'), await makeExampleEpub({ title: 'Sound', isbn: '9780306406157' }))
  writeFileSync(join(home, 'warned.epub'), makeBook({ metadata: '<dc:title>Warned</dc:title>' }))
  writeFileSync(join(home, 'broken.epub'), makeBook({ spine: '<itemref idref="missing"/>' }))
  expect(
    await type([
      'pubctl inspect ~/sound.epub',
      'pubctl inspect ~/sound.epub --json',
      'pubctl inspect ~/broken.epub --fields title,type',
      'pubctl inspect ~/sound.epub ~/warned.epub --strict --fields title',
      'pubctl inspect ~/missing.epub --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl inspect ~/sound.epub
    ~/sound.epub⇥EPUB⇥Sound⇥The Makers of pubctl⇥en⇥9780306406157⇥reflowable⇥⇥⇥⇥⇥⇥⇥

    $ pubctl inspect ~/sound.epub --json
    {"file":"~/sound.epub","type":"EPUB","mediaType":"application/epub+zip","titles":[{"text":"Sound"}],"authors":["The Makers of pubctl"],"creators":[{"name":"The Makers of pubctl","roles":["aut"]}],"isReflowable":true,"layout":"reflowable","navigation":[{"title":"What You Are Holding","depth":0,"path":[0]},{"title":"What Happens When It Is Sent","depth":0,"path":[1]},{"title":"Where to Go from Here","depth":0,"path":[2]}],"problems":[],"title":"Sound","language":"en","isbn":"9780306406157","publisher":"Sandbox Press","description":"A small book to send first. It tells what happens to a book on its way to its readers.","identifier":"urn:isbn:9780306406157","epubVersion":"3.0","cover":{"path":"EPUB/cover.png","mediaType":"image/png","width":600,"height":900,"colourSpace":"RGB","bytes":2252},"inventory":{"spine":3,"contents":3,"words":431,"isPartial":false,"images":{"files":1,"shown":0,"withoutAlternative":0},"fonts":{"count":0,"files":[]},"largest":[{"path":"EPUB/cover.png","bytes":2252},{"path":"EPUB/package.opf","bytes":1393},{"path":"EPUB/chapter-2.xhtml","bytes":1274}],"unused":{"count":0,"files":[]}}}

    $ pubctl inspect ~/broken.epub --fields title,type
    A Title⇥EPUB
    ! error: ~/broken.epub has errors
    !   Repair what is listed; "publications upload" stops at it as well.
    exit 2

    $ pubctl inspect ~/sound.epub ~/warned.epub --strict --fields title
    Sound
    Warned
    ! 2 books: 1 with warnings, 1 without problems.
    ! error: 1 of 2 books have problems
    !   Repair what is listed; "publications upload" stops at it as well.
    exit 2

    $ pubctl inspect ~/missing.epub --json
    ! {"error":{"code":"file_unreadable","message":"cannot read ~/missing.epub: there is no such file","status":null,"requestId":null,"details":null,"hint":"Check the name and the folder.","exitCode":2}}
    exit 2
  `)
  expect(await type('pubctl inspect ~/sound.epub', { columns: 200 })).toMatchInlineSnapshot(`
    $ pubctl inspect ~/sound.epub
    file           ~/sound.epub
    type           EPUB
    title          Sound
    authors        The Makers of pubctl
    language       en
    isbn           9780306406157
    publisher      Sandbox Press
    description    A small book to send first. It tells what happens to a book on its way to its readers.
    epub version   3.0
    layout         reflowable
    cover          EPUB/cover.png
    cover type     image/png
    cover width    600
    cover height   900
    reading order  3 items
    contents       3 entries
    words          431
    images         1 file, shown 0 times
    fonts          none
    largest files  cover.png 2.3 kB; package.opf 1.4 kB; chapter-2.xhtml 1.3 kB
    unused files   none
    verdict        no problems
  `)
  expect(await type('pubctl inspect ~/broken.epub', { columns: 200 })).toMatchInlineSnapshot(`
    $ pubctl inspect ~/broken.epub
    file           ~/broken.epub
    type           EPUB
    title          A Title
    authors        A Name
    language       en
    epub version   3.0
    layout         reflowable
    reading order  1 item
    contents       1 entry
    words          2
    images         none
    fonts          none
    largest files  package.opf 693 B; container.xml 200 B; nav.xhtml 178 B
    unused files   none
    verdict        1 error, 1 warning

    error: EPUB/package.opf:9:8: The reading order names "missing", which the manifest does not have. Name the id of an item of the manifest.
    warning: EPUB/nav.xhtml:2:30: "one.xhtml" leads to a page that is not in the reading order. Add the page to the spine.
    ! error: ~/broken.epub has errors
    !   Repair what is listed; "publications upload" stops at it as well.
    exit 2
  `)
})

describe('what is named', () => {
  async function withFolders() {
    const own = machine()
    const at = (name: string) => join(own.home, name)
    mkdirSync(at('books/deep'), { recursive: true })
    for (const name of ['books/b.epub', 'books/a.epub', 'books/deep/c.epub', 'd.epub'])
      writeFileSync(at(name), await makeExampleEpub({ title: name }))
    writeFileSync(at('books/notes.txt'), 'no book')
    mkdirSync(at('empty'))
    writeFileSync(at('sheet.csv'), 'file\nd.epub\nbooks/a.epub\n')
    const filesOf = (out: string): string[] => [JSON.parse(out)].flat().map(({ file }) => file)
    return { ...own, at, filesOf }
  }

  it.each([
    ['a folder', ['books']],
    ['a folder with its folders', ['books', '--recursive']],
    ['a pattern', ['books/*.epub']],
    ['files, folders and patterns', ['d.epub', 'books/b.epub', 'books', 'books/deep/*']],
    ['a folder with one book', ['books/deep']],
    ['a sheet', ['--manifest', 'sheet.csv']],
    ['a file and a sheet', ['books/b.epub', '--manifest', 'sheet.csv']],
  ])('is what "publications upload" takes, in its order: %s', async (_, args) => {
    const { run, sandbox, at, filesOf } = await withFolders()
    const named = args.map(arg => (arg.startsWith('--') ? arg : at(arg)))
    const { code, out } = await run(['inspect', ...named, '--json'])
    const planned = await sandbox(['publications', 'upload', ...named, '--dry-run', '--json'])
    expect({ code, files: filesOf(out) }).toEqual({ code: 0, files: filesOf(planned.out) })
    expect(Array.isArray(JSON.parse(out))).toBe(Array.isArray(JSON.parse(planned.out)))
    // The same books are named for the report on accessibility, which sorts them.
    const shown = await run(['inspect', ...named, '--accessibility', '--json'])
    expect(filesOf(shown.out).sort()).toEqual(filesOf(out).sort())
  })

  it.each([
    ['a folder without books', ['empty']],
    ['a folder whose folders are not looked into', ['.']],
    ['a pattern without matches', ['books/*.pdf']],
    ['nothing', []],
    ['a sheet that is not there', ['--manifest', 'missing.csv']],
    ['an encoding without a sheet', ['d.epub', '--encoding', 'latin1']],
  ])('is refused in the words of "publications upload": %s', async (_, args) => {
    const { run, sandbox, at } = await withFolders()
    writeFileSync(at('empty/notes.txt'), '')
    mkdirSync(at('above/books'), { recursive: true })
    const path = (arg: string) => (arg === '.' ? at('above') : at(arg))
    const named = args.map(arg => (arg.startsWith('--') || arg === 'latin1' ? arg : path(arg)))
    const refused = await run(['inspect', ...named, '--json'])
    const { code, err } = await sandbox(['publications', 'upload', ...named, '--json'])
    expect(refused).toEqual({ code: 2, out: '', err })
    expect(code).toBe(2)
  })

  it('ends with 2 if one book of a folder has errors, and shows the others', async () => {
    const { run, at, filesOf } = await withFolders()
    writeFileSync(at('books/deep/d.epub'), 'x')
    const { code, out, err } = await run(['inspect', at('books'), '--recursive', '--json'])
    expect({ code, files: filesOf(out) }).toEqual({
      code: 2,
      files: ['a.epub', 'b.epub', 'deep/c.epub'].map(name => at(`books/${name}`)),
    })
    expect(JSON.parse(err).error).toMatchObject({
      message: '1 of 4 books have errors',
      details: [{ path: [at('books/deep/d.epub')], code: 'not_a_book' }],
    })
  })

  it('is a list where a folder holds one book that cannot be read', async () => {
    const { run, at } = await withFolders()
    writeFileSync(at('empty/e.epub'), 'x')
    const { code, out, err } = await run(['inspect', at('empty'), '--json'])
    expect({ code, out: JSON.parse(out) }).toEqual({ code: 2, out: [] })
    expect(JSON.parse(err).error).toMatchObject({ code: 'book_unfit', message: '1 of 1 books have errors' })
  })
})
