import { describe, expect, it } from 'vitest'
import { type BookParts, fileOf, honestMetadata, makeBook } from '../support/books/make-book.ts'
import { readBook } from '../support/books/read-book.ts'

const codesOf = async (parts: BookParts) =>
  (await readBook(fileOf(makeBook(parts)))).problems.map(({ severity, code }) => `${severity} ${code}`)

const image = (id: string, type: string, more = '') =>
  `<item id="${id}" href="${id}" media-type="image/${type}" ${more}/>`
const roll = `${honestMetadata}<meta property="rendition:layout">roll</meta>`
const oldRoll = `${honestMetadata}<meta name="rendition:layout" content="roll"/>`

describe('what EPUB has from 3.4 on', () => {
  it.each<[string, BookParts, string[]]>([
    ['a roll', { metadata: roll }, ['information layout_roll']],
    ['a roll in EPUB 2', { metadata: oldRoll, version: '2.0' }, ['warning layout_roll']],
    ['AVIF', { manifest: image('a', 'avif') }, ['information image_type_new']],
    ['AVIF in EPUB 2', { manifest: image('a', 'avif'), version: '2.0' }, ['warning image_type_new']],
    [
      'AVIF and JPEG XL',
      { manifest: image('a', 'avif') + image('b', 'avif') + image('c', 'jxl') },
      ['information image_type_new', 'information image_type_new'],
    ],
    ['AVIF with a fallback', { manifest: image('a', 'avif', 'fallback="c"') + image('c', 'png') }, []],
    [
      'AVIF with a fallback that is as new',
      { manifest: image('a', 'avif', 'fallback="c"') + image('c', 'jxl') },
      ['information image_type_new', 'information image_type_new'],
    ],
  ])('is said of %s', async (_, parts, expected) => {
    const entries = { 'EPUB/a': 'x', 'EPUB/b': 'x', 'EPUB/c': 'x' }
    const found = await codesOf({ ...parts, entries })
    expect(found.filter(code => /layout_roll|image_type/.test(code))).toEqual(expected)
  })

  it.each([
    ['AVIF', 'avif', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1', 'latin1')],
    ['JPEG XL', 'jxl', Buffer.from('\xff\x0a\x90\x3a\x10\x23\x40\x01\x02\x03\x04\x05', 'latin1')],
    ['JPEG XL in a container', 'jxl', Buffer.from('\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftyp', 'latin1')],
  ])('is a cover as well: %s', async (_, type, bytes) => {
    const manifest = image('c', type, 'properties="cover-image"')
    const { cover, problems } = await readBook(fileOf(makeBook({ manifest, entries: { 'EPUB/c': bytes } })))
    expect(cover).toMatchObject({ mediaType: `image/${type}` })
    expect(problems.map(({ code }) => code)).not.toContain('cover_unreadable')
  })
})
