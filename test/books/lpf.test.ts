import { describe, expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { rawZip } from '../support/books/hostile-zip.ts'
import { fileOf } from '../support/books/make-book.ts'
import { readBook, readCover } from '../support/books/read-book.ts'

const pathOf = (entries: Record<string, string | Uint8Array>) =>
  fileOf(
    rawZip(Object.entries(entries).map(([name, content]) => ({ name, content, isDeflated: true }))),
    'book.lpf',
  )
const audio = { 'a.mp3': 'ID3', 'b.mp3': 'ID3' }
const honest = {
  '@context': ['https://schema.org', 'https://www.w3.org/ns/pub-context'],
  conformsTo: 'https://www.w3.org/TR/audiobooks/',
  name: 'A Title',
  author: 'A Name',
  inLanguage: 'en',
  readingOrder: ['a.mp3', 'b.mp3'],
}
const read = (manifest: object, more: Record<string, string | Uint8Array> = {}) =>
  readBook(pathOf({ 'publication.json': JSON.stringify({ ...honest, ...manifest }), ...audio, ...more }))
const codesOf = ({ problems }: Awaited<ReturnType<typeof read>>) =>
  problems.map(({ severity, code }) => `${severity} ${code}`)

describe('an audiobook', () => {
  it('is read from its manifest', async () => {
    expect(
      await read({
        id: 'urn:isbn:978-3-16-148410-0',
        publisher: { name: 'A Press' },
        duration: 'P1DT2H3M4.5S',
      }),
    ).toEqual({
      type: 'Audio',
      mediaType: 'application/lpf+zip',
      title: 'A Title',
      titles: [{ text: 'A Title' }],
      authors: ['A Name'],
      creators: [{ name: 'A Name', roles: ['aut'] }],
      language: 'en',
      isbn: '9783161484100',
      identifier: 'urn:isbn:978-3-16-148410-0',
      publisher: 'A Press',
      duration: 93784.5,
      trackCount: 2,
      isReflowable: false,
      navigation: [
        { title: 'a.mp3', depth: 0, path: [0] },
        { title: 'b.mp3', depth: 0, path: [1] },
      ],
      problems: [],
    })
  })

  it.each([
    ['texts', 'A, B', ['A, B']],
    ['lists', ['A', 'B'], ['A', 'B']],
    ['objects', { type: 'Person', name: 'A' }, ['A']],
    ['localised objects', [{ name: { value: 'A', language: 'en' } }, { name: ['B', 'Bee'] }], ['A', 'B']],
    ['nonsense', [1, null, {}, { name: 2 }, ''], []],
  ])('has its authors as %s', async (_, author, authors) => {
    expect((await read({ author })).authors).toEqual(authors)
  })

  it('has titles in several languages, the first of which is its own', async () => {
    const { title, titles } = await read({ name: [{ value: ' Un  titre', language: 'fr' }, 'A title'] })
    expect([title, titles.length]).toEqual(['Un titre', 2])
  })

  it('names those who read and translated it, who are not its authors', async () => {
    const book = await read({ author: 'A', readBy: ['B', 'A'], translator: { name: 'C' } })
    expect(book.authors).toEqual(['A'])
    expect(book.creators).toEqual([
      { name: 'A', roles: ['aut', 'nrt'] },
      { name: 'B', roles: ['nrt'] },
      { name: 'C', roles: ['trl'] },
    ])
  })

  it('lasts as long as its tracks where it does not say how long', async () => {
    const readingOrder = [
      { url: 'a.mp3', name: 'One', duration: 'PT1M30S', encodingFormat: 'audio/mpeg' },
      { url: './b.mp3#t=1', duration: 'PT10.25S' },
    ]
    expect(await read({ readingOrder })).toMatchObject({ duration: 100.25, trackCount: 2, problems: [] })
    expect(codesOf(await read({ readingOrder, duration: 'PT90S' }))).toEqual(['warning duration_mismatch'])
    expect((await read({ readingOrder, duration: 'ninety' })).duration).toBe(100.25)
    expect((await read({})).duration).toBeUndefined()
  })

  it('has the cover that its resources name', async () => {
    const path = pathOf({
      'publication.json': JSON.stringify({ ...honest, resources: [{ url: 'i/c%20d.png', rel: ['cover'] }] }),
      ...audio,
      'i/c d.png': exampleCover(),
    })
    const book = await readBook(path)
    expect(book.cover).toMatchObject({ path: 'i/c d.png', mediaType: 'image/png', width: 600, height: 900 })
    expect(await readCover(path, book)).toMatchObject({ bytes: exampleCover(), filename: 'c d.png' })
  })

  it.each([
    ['error audio_missing', { readingOrder: [] }],
    ['error audio_missing', { readingOrder: 'page.html' }],
    ['error resource_missing', { readingOrder: ['a.mp3', 'c.mp3'] }],
    ['warning resource_missing', { resources: 'c.html' }],
    ['warning cover_missing', { resources: { url: 'c.jpg', rel: 'cover' } }],
    ['warning title_missing', { name: '' }],
    ['warning author_missing', { author: [] }],
    ['warning language_missing', { inLanguage: null }],
    ['warning isbn_invalid', { id: 'urn:isbn:1234567890' }],
  ])('has the problem %s', async (problem, manifest) => {
    expect(codesOf(await read(manifest))).toContain(problem)
  })

  it('may be protected', async () => {
    expect(await read({}, { 'license.lcpl': '{}' })).toMatchObject({ drm: 'Readium LCP' })
  })
})

describe('the entry page of an audiobook', () => {
  const json = JSON.stringify(honest)

  it.each([
    [
      'holds the manifest',
      {
        'index.html': `<!DOCTYPE html><link href=#m rel="publication"><script id='m' type="application/ld+json">${json}</script>`,
      },
    ],
    [
      'links to it',
      {
        'index.html': '<link rel="x publication" href="data/m.json">',
        'data/m.json': json.replaceAll('a.mp3', '../a.mp3').replaceAll('b.mp3', '../b.mp3'),
      },
    ],
    [
      'links to it in a tag that is written otherwise',
      {
        'index.html': `<LINK data-rel=x title=' rel="no" ' HREF = 'm.json' disabled Rel\n=\n"publication"/>`,
        'm.json': json,
      },
    ],
  ])('%s', async (_, entries) => {
    expect(await readBook(pathOf({ ...entries, ...audio }))).toMatchObject({
      title: 'A Title',
      trackCount: 2,
      problems: [],
    })
  })

  it('may link to nothing, which is an error', async () => {
    const book = await readBook(pathOf({ 'index.html': '<link rel="publication" href="m.json">' }))
    expect(codesOf(book)).toEqual(['error manifest_missing'])
  })

  it('of a website does not make it a book', async () => {
    await expect(readBook(pathOf({ 'index.html': '<h1>Hello</h1>' }))).rejects.toMatchObject({
      code: 'not_a_book',
    })
  })
})

describe('a broken manifest', () => {
  it.each([
    ['resource_empty', ''],
    ['sound_unreadable', '<html>404</html>'],
    ['sound_unreadable', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff', 'latin1')],
    ['sound_unreadable', '%PDF-1.7'],
    ['sound_cut', Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0\0\0\x10\0mdat\0\0\0\0\0\0\0\0', 'latin1')],
    ['sound_cut', Buffer.from('RIFF\0\x10\0\0WAVEfmt ', 'latin1')],
  ])('has the error %s for a track that nobody can hear', async (code, content) => {
    expect(codesOf(await read({}, { 'b.mp3': content }))).toEqual([`error ${code}`])
  })

  it.each([
    ['is whole', Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\x10mdat\0\0\0\0\0\0\0\0', 'latin1')],
    ['goes to its end', Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\0mdat\0\0\0\0\0\0\0\0', 'latin1')],
    ['was written without an end', Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt ', 'latin1')],
  ])('has no problem with a track that %s', async (_, content) => {
    expect(codesOf(await read({}, { 'b.mp3': content }))).toEqual([])
  })

  it.each([
    ['audio/mpeg', 'OggS\0\x02', 'Ogg'],
    ['audio/mpeg', '\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\x10mdat\0\0\0\0\0\0\0\0', 'MP4'],
    ['audio/mp4', 'ID3', 'MP3'],
    ['audio/ogg', 'fLaC', 'FLAC'],
    ['audio/flac', 'OggS', undefined],
    ['audio/x-unknown', 'fLaC', undefined],
    ['audio/x-m4b', '\0\0\0\x10ftypM4B \0\0\0\0\0\0\0\x10mdat\0\0\0\0\0\0\0\0', undefined],
  ])(
    'such as a track that is declared as %s and begins with %j is a warning where it is other sound',
    async (encodingFormat, content, other) => {
      const readingOrder = ['a.mp3', { url: 'b.mp3', encodingFormat }]
      const { problems } = await read({ readingOrder }, { 'b.mp3': Buffer.from(content, 'latin1') })
      const message = `The track "b.mp3" is declared as ${encodingFormat} but is ${other}.`
      expect(problems).toMatchObject(
        other ? [{ severity: 'warning', code: 'sound_type_wrong', message }] : [],
      )
    },
  )

  it.each(['', '{', 'null', '[]', '"x"', '{"readingOrder":{"url":{}},"name":{"value":{}},"author":[[[]]]}'])(
    'such as %j ends in a book with an error',
    async text => {
      const book = await readBook(pathOf({ 'publication.json': text }))
      expect(book.type).toBe('Audio')
      expect(book.problems.some(({ severity }) => severity === 'error')).toBe(true)
    },
  )
})

describe('the place of the tracks', () => {
  const elsewhere = ['https://example.org/a.mp3', 'https://example.org/b.mp3'].map(url => ({
    url,
    encodingFormat: 'audio/mpeg',
  }))

  it('may be elsewhere for some, and is a warning for all', async () => {
    expect(codesOf(await read({ readingOrder: [elsewhere[0], 'b.mp3'] }))).toEqual([])
    expect(codesOf(await read({ readingOrder: elsewhere }))).toEqual(['warning audio_remote'])
  })

  it('is found where the zip has names in NFD', async () => {
    expect(codesOf(await read({ readingOrder: ['ü.mp3'] }, { 'u\u0308.mp3': 'ID3' }))).toEqual([])
  })
})

it('a relation is read without case', async () => {
  const { cover } = await read(
    { resources: [{ url: 'c.png', rel: 'Cover', encodingFormat: 'image/png' }] },
    { 'c.png': exampleCover() },
  )
  expect(cover?.path).toBe('c.png')
})
