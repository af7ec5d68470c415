import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { problemCounts } from '../../src/uploads/options/book-problems.ts'
import { rawZip } from '../support/books/hostile-zip.ts'
import { type BookParts, fileOf, makeBook } from '../support/books/make-book.ts'
import { readBook } from '../support/books/read-book.ts'
import { machine } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'

const xhtml = 'media-type="application/xhtml+xml"'
const page = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>\n${body}</body></html>`
const pageOne = (body: string) => ({ entries: { 'EPUB/one.xhtml': page(body) } })
const two = { manifest: `<item id="two" href="two.xhtml" ${xhtml}/>` }
const paragraph = '<p>All that is the case.</p>\n'
const long = paragraph.repeat(Math.ceil((2 * 2 ** 20) / paragraph.length))
const noise = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * index) % 251))

const found = async (book: Uint8Array, name?: string) =>
  (await readBook(fileOf(book, name))).problems.map(({ severity, code, place }) => [severity, code, place])

describe('a book that readers would not get whole has the error', () => {
  it.each([
    ['chapter_malformed', 'EPUB/one.xhtml:2', pageOne('<p>A<br></p>')],
    ['chapter_malformed', 'EPUB/one.xhtml:2', pageOne('<p>&nbsp;</p>')],
    ['chapter_malformed', 'EPUB/one.xhtml:2', pageOne('<p epub:type="x"/>')],
    ['chapter_malformed', 'EPUB/one.xhtml:72318', pageOne(`${long}<p>A<br></p>`)],
    [
      'chapter_unreadable',
      'EPUB/two.xhtml',
      { ...two, rawEntries: [{ name: 'EPUB/two.xhtml', content: page(''), claims: { crc: 1 } }] },
    ],
    ['entry_damaged', 'a.jpg', { rawEntries: [{ name: 'a.jpg', content: noise, claims: { crc: 1 } }] }],
    [
      'entry_damaged',
      'a.jpg',
      { rawEntries: [{ name: 'a.jpg', content: noise, isDeflated: true, claims: { crc: 1 } }] },
    ],
    [
      'entry_damaged',
      'a.jpg',
      { rawEntries: [{ name: 'a.jpg', content: noise, isDeflated: true, claims: { size: 99_999 } }] },
    ],
    [
      'entry_damaged',
      'a.jpg',
      { rawEntries: [{ name: 'a.jpg', content: noise, claims: { size: 100_001 } }] },
    ],
    ['entry_damaged', 'a.jpg', { rawEntries: [{ name: 'a.jpg', content: noise, claims: { method: 14 } }] }],
    ['entry_damaged', 'a.jpg', { rawEntries: [{ name: 'a.jpg', content: '', claims: { crc: 1 } }] }],
    [
      'entry_encrypted',
      'a.jpg',
      { rawEntries: [{ name: 'a.jpg', content: noise, claims: { flags: 0x801 } }] },
    ],
  ] satisfies [string, string, BookParts][])('%s at "%s"', async (code, place, parts) => {
    expect(await found(makeBook(parts))).toEqual([['error', code, place]])
  })
})

it('a large entry is compared with its checksum as well', async () => {
  const large = Buffer.concat(Array.from({ length: 20 }, () => noise))
  const entry = { name: 'a.jpg', content: large, isDeflated: true }
  expect(await found(makeBook({ rawEntries: [entry] }))).toEqual([])
  expect(await found(makeBook({ rawEntries: [{ ...entry, claims: { crc: 1 } }] }))).toEqual([
    ['error', 'entry_damaged', 'a.jpg'],
  ])
})

it('a damaged track of an audiobook is an error', async () => {
  const manifest = { name: 'A', author: 'B', inLanguage: 'en', readingOrder: ['a.mp3'] }
  const book = rawZip([
    { name: 'publication.json', content: JSON.stringify(manifest) },
    { name: 'a.mp3', content: noise, claims: { crc: 1 } },
  ])
  expect(await found(book, 'book.lpf')).toEqual([['error', 'entry_damaged', 'a.mp3']])
})

it('a damaged image of the cover is said once', async () => {
  const cover = '<item id="c" href="c.png" media-type="image/png" properties="cover-image"/>'
  const rawEntries = [{ name: 'EPUB/c.png', content: 'no', isDeflated: true, claims: { method: 14 } }]
  expect(await found(makeBook({ manifest: cover, rawEntries }))).toEqual([
    ['error', 'entry_damaged', 'EPUB/c.png'],
  ])
})

describe('what is not read is said', () => {
  it.each(
    share(
      [
        ['a page of more than 8 MiB', pageOne(long.repeat(5)), 'EPUB/one.xhtml'],
        [
          'a page of more elements within each other than are read',
          pageOne(`${'<p>'.repeat(1000)}${'</p>'.repeat(1000)}`),
          'EPUB/one.xhtml',
        ],
        ['a page of more links than are read', pageOne('<a href="#a"/>'.repeat(100_002)), 'EPUB/one.xhtml'],
        [
          'a style of more addresses than are read',
          {
            manifest: '<item id="c" href="a.css" media-type="text/css"/>',
            entries: { 'EPUB/a.css': '@import "a.css";'.repeat(5001) },
          },
          'EPUB/a.css',
        ],
        [
          'a page of a kind that is not read',
          {
            manifest: '<item id="o" href="o.html" media-type="text/x-oeb1-document"/>',
            spine: '<itemref idref="one"/><itemref idref="o"/>',
            entries: { 'EPUB/o.html': 'x' },
          },
          'EPUB/o.html',
        ],
      ] satisfies [string, BookParts, string][],
      2,
    ),
  )('%s', async (_, parts, place) => {
    const { problems } = await readBook(fileOf(makeBook(parts)))
    expect(problems).toMatchObject([{ severity: 'warning', code: 'not_examined', place }])
    expect(problemCounts(problems)).toBe('1 warning, not all read')
  })

  it('an encrypted file', async () => {
    const encryption =
      '<encryption><EncryptedData><EncryptionMethod Algorithm="unheard-of"/></EncryptedData></encryption>'
    const { problems } = await readBook(
      fileOf(makeBook({ entries: { 'META-INF/encryption.xml': encryption } })),
    )
    expect(problemCounts(problems)).toBe('not all read')
  })
})

it('an upload stops at a damaged chapter, unless it is told not to check', async () => {
  const { sandbox, home } = machine()
  const path = join(home, 'damaged.epub')
  const entry = { name: 'EPUB/two.xhtml', content: page(''), claims: { crc: 1 } }
  writeFileSync(path, makeBook({ ...two, rawEntries: [entry] }))
  const upload = async (...args: string[]) =>
    await sandbox(['publications', 'upload', path, '--dry-run', '--json', ...args])
  const refused = await upload()
  expect(refused.code).toBe(2)
  expect(JSON.parse(refused.err).error).toMatchObject({
    code: 'book_unfit',
    details: [{ code: 'chapter_unreadable', path: ['EPUB/two.xhtml'] }],
  })
  expect((await upload('--no-check')).code).toBe(0)
})
