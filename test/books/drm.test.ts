import { expect, it } from 'vitest'
import { fileOf, makeBook } from '../support/books/make-book.ts'
import { readBook } from '../support/books/read-book.ts'

const encrypting = (...algorithms: string[]) => ({
  'META-INF/encryption.xml': `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
    ${algorithms.map(algorithm => `<enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData>`).join('')}</encryption>`,
})
const aes = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'
const adeptRights = { 'META-INF/rights.xml': '<adept:rights xmlns:adept="http://ns.adobe.com/adept"/>' }

it.each([
  [
    'Readium LCP',
    { ...encrypting('http://www.w3.org/2001/04/xmlenc#aes256-cbc'), 'META-INF/license.lcpl': '{}' },
  ],
  ['Adobe ADEPT', { ...encrypting(aes), ...adeptRights }],
  ['Apple FairPlay', { ...encrypting(aes), 'META-INF/sinf.xml': '<x/>' }],
])('an EPUB is protected by %s', async (drm, entries) => {
  const book = await readBook(fileOf(makeBook({ entries })))
  expect(book).toMatchObject({ title: 'A Title', drm, problems: [{ severity: 'error', code: 'drm' }] })
})

it.each([
  ['everything', encrypting(aes)],
  ['more than its fonts', encrypting('http://www.idpf.org/2008/embedding', aes)],
])(
  'an EPUB of which %s is encrypted by an unknown method says so, and is not refused',
  async (_, entries) => {
    const book = await readBook(fileOf(makeBook({ entries })))
    expect(book).toMatchObject({
      drm: 'unknown',
      problems: [
        {
          severity: 'information',
          code: 'encryption_unknown',
          place: 'META-INF/encryption.xml:2',
          hint: expect.stringMatching(/\.$/),
        },
      ],
    })
  },
)

it.each([
  [
    'its fonts are obfuscated',
    encrypting('http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'),
  ],
  ['nothing is encrypted', { ...encrypting(), ...adeptRights }],
])('an EPUB is not protected where %s', async (_, entries) => {
  const book = await readBook(fileOf(makeBook({ entries })))
  expect(book.drm).toBeUndefined()
  expect(book.problems).toEqual([])
})
