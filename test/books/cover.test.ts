import { describe, expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { type BookParts, fileOf, honestMetadata, makeBook } from '../support/books/make-book.ts'
import { readBook, readCover } from '../support/books/read-book.ts'

const read = (parts: BookParts = {}) => readBook(fileOf(makeBook(parts)))
const codes = async (parts: BookParts) =>
  (await read(parts)).problems.map(({ severity, code }) => `${severity} ${code}`)

describe('the cover', () => {
  const image = exampleCover()
  const item = (attributes = '') =>
    `<item id="pic" href="i/c%C3%B6ver.png" media-type="image/png" ${attributes}/>`
  const picture = { 'EPUB/i/cöver.png': image }
  const page = {
    'EPUB/cover.xhtml': '<html><body><img src="./i/c%C3%B6ver.png" alt="A parcel"/></body></html>',
  }
  const meta = (content: string) => `${honestMetadata}<meta name="cover" content="${content}"/>`

  it.each([
    ['its property', { manifest: item('properties="svg cover-image"'), entries: picture }],
    ['its id', { manifest: item(), entries: picture, metadata: meta('pic') }],
    ['its file, wrongly', { manifest: item(), entries: picture, metadata: meta('i/c%C3%B6ver.png') }],
    [
      'the page that the guide names',
      {
        manifest: `${item()}<item id="page" href="cover.xhtml" media-type="application/xhtml+xml"/>`,
        entries: { ...picture, ...page },
        guide: '<guide><reference type="cover" href="cover.xhtml"/></guide>',
      },
    ],
    ['what it is called', { manifest: item().replace('"pic"', '"cover-image"'), entries: picture }],
  ] satisfies [string, BookParts][])('is found by %s', async (_, parts) => {
    const path = fileOf(makeBook(parts))
    const book = await readBook(path)
    expect(book.problems).toEqual([])
    expect(book.cover).toMatchObject({
      path: 'EPUB/i/cöver.png',
      mediaType: 'image/png',
      bytes: image.length,
      width: 600,
      height: 900,
    })
    expect(await readCover(path, book)).toEqual({
      bytes: image,
      mediaType: 'image/png',
      filename: 'cöver.png',
    })
  })

  it('has the description that the cover page gives it', async () => {
    const guide = '<guide><reference type="cover" href="cover.xhtml#top"/></guide>'
    const book = await read({
      manifest: item('properties="cover-image"'),
      entries: { ...picture, ...page },
      guide,
    })
    expect(book.cover?.alt).toBe('A parcel')
  })

  it('that is nowhere is none, and a warning', async () => {
    expect(await codes({ metadata: meta('nobody') })).toEqual(['warning cover_missing'])
    expect(await codes({ manifest: item('properties="cover-image"') })).toEqual([
      'warning cover_missing',
      'warning resource_missing',
    ])
    const path = fileOf(makeBook({ metadata: meta('nobody') }))
    expect(await readCover(path, await readBook(path))).toBeUndefined()
  })

  it('is of the type that it is, with a name that fits', async () => {
    const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc2000b080010002001011100ffd9', 'hex')
    const path = fileOf(
      makeBook({ manifest: item('properties="cover-image"'), entries: { 'EPUB/i/cöver.png': jpeg } }),
    )
    const book = await readBook(path)
    expect(book.cover).toMatchObject({ mediaType: 'image/jpeg', width: 32, height: 16 })
    expect(book.problems.map(({ code }) => code)).toEqual(['cover_type_wrong'])
    expect((await readCover(path, book))?.filename).toBe('cöver.jpg')
  })

  it.each([
    ['image/gif', Buffer.from('GIF89a\x20\0\x10\0\0', 'latin1')],
    ['image/webp', Buffer.from('RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\0\0\x0f\0\0', 'latin1')],
    ['image/webp', Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x1f\xc0\x03\0\0\0\0\0\0', 'latin1')],
    ['image/webp', Buffer.from('RIFF\x1a\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x20\0\x10\0', 'latin1')],
    ['image/svg+xml', Buffer.from('<?xml version="1.0"?><!-- x --><svg width="32px" height="16"/>')],
    ['image/svg+xml', Buffer.from('<svg viewBox="0 0 32 16" width="100%"><rect')],
  ])('has its size in pixels when it is %s', async (mediaType, content) => {
    const manifest = item('properties="cover-image"').replace('image/png', mediaType)
    const book = await read({ manifest, entries: { 'EPUB/i/cöver.png': content } })
    expect(book.cover).toMatchObject({ mediaType, width: 32, height: 16 })
  })

  it.each([
    ['empty', 'error', 'image/png', ''],
    ['a text', 'error', 'image/png', '<html>404</html>'],
    ['of a kind that nobody knows', 'warning', 'image/png', Buffer.from([1, 2, 3, 0, 200])],
  ])('is said once, at the image, when it is %s', async (_, severity, mediaType, content) => {
    const manifest = item('properties="cover-image"').replace('image/png', mediaType)
    const { problems } = await read({ manifest, entries: { 'EPUB/i/cöver.png': content } })
    expect(problems).toMatchObject([
      {
        severity,
        code: 'cover_unreadable',
        place: 'EPUB/i/cöver.png',
        message: 'The cover cannot be read as an image.',
      },
    ])
  })
})
