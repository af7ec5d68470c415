import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../../src/books/book.ts'
import { fileOf } from '../support/books/make-book.ts'
import { makePdf, type PdfParts, pdfStream } from '../support/books/make-pdf.ts'
import { readBook } from '../support/books/read-book.ts'

const unused = pdfStream(randomBytes(1_100_000))

/** Reads a small PDF, and the same with an object of more than a MiB that nothing names, which is not read whole. */
async function read(parts: PdfParts = {}, options?: ReadOptions) {
  const book = await readBook(fileOf(makePdf(parts), 'book.pdf'), options)
  const large = makePdf({ ...parts, objects: [...(parts.objects ?? []), unused] })
  expect(await readBook(fileOf(large, 'large.pdf'), options)).toEqual(book)
  return book
}
const codesOf = ({ problems }: Awaited<ReturnType<typeof read>>) =>
  problems.map(({ severity, code }) => `${severity} ${code}`)

const xmp = (properties: string, attributes = '') =>
  `<?xpacket begin="\uFEFF"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"
  ${attributes}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
const list = (kind: string, ...items: string[]) =>
  `<rdf:${kind}>${items.map(item => `<rdf:li>${item}</rdf:li>`).join('')}</rdf:${kind}>`

describe('a PDF', () => {
  it('says who wrote it and what it is called in its Info dictionary', async () => {
    expect(
      await read({
        info: '/Title (  A\\nTitle ) /Author (Brontë, Emily; A. Who) /Subject (On it)',
        catalog: '/Lang (en-GB)',
        pages: 7,
      }),
    ).toEqual({
      type: 'PDF',
      mediaType: 'application/pdf',
      title: 'A Title',
      titles: [{ text: 'A Title' }],
      authors: ['Brontë, Emily', 'A. Who'].map(name => Buffer.from(name).toString('latin1')),
      creators: [
        { name: Buffer.from('Brontë, Emily').toString('latin1'), roles: [] },
        { name: 'A. Who', roles: [] },
      ],
      language: 'en-GB',
      description: 'On it',
      isReflowable: false,
      layout: 'fixed',
      pageCount: 7,
      navigation: [],
      problems: [],
    })
  })

  it('may write its texts in UTF-16', async () => {
    const title = Buffer.from('\uFEFFΣ 詩', 'utf16le').swap16().toString('hex')
    expect((await read({ info: `/Title <${title}>` })).title).toBe('Σ 詩')
  })

  it('is believed in its metadata stream before its Info dictionary', async () => {
    const book = await read({
      info: '/Title (Old) /Author (Nobody)',
      xmp: xmp(
        `<dc:title><rdf:Alt><rdf:li xml:lang="de">Neu</rdf:li><rdf:li xml:lang="x-default">New &amp; whole</rdf:li></rdf:Alt></dc:title>
        <dc:creator>${list('Seq', 'Brontë, Emily', 'A; B')}</dc:creator><dc:language>${list('Bag', 'fr', 'en')}</dc:language>
        <dc:publisher>${list('Bag', 'A Press')}</dc:publisher><dc:identifier>urn:isbn:978-3-16-148410-0</dc:identifier>`,
      ),
    })
    expect(book).toMatchObject({
      title: 'New & whole',
      authors: ['Brontë, Emily', 'A; B'],
      language: 'fr',
      publisher: 'A Press',
      isbn: '9783161484100',
      identifier: 'urn:isbn:978-3-16-148410-0',
      problems: [],
    })
  })

  it('may have its metadata as attributes, and an ISBN of its own', async () => {
    const book = await read({ xmp: xmp('<prism:isbn>0-306-40615-2</prism:isbn>', 'dc:title="By attribute"') })
    expect(book).toMatchObject({ title: 'By attribute', isbn: '0306406152' })
  })

  it('keeps its Info dictionary where the metadata stream is broken', async () => {
    expect((await read({ info: '/Title (Kept)', xmp: '<x:xmpmeta><rdf:RDF><oops' })).title).toBe('Kept')
  })

  it('has its outline for a table of contents, and is otherwise the same where nobody needs it', async () => {
    const parts: PdfParts = {
      info: '/Title (A) /Author (B)',
      catalog: '/Outlines 100 0 R',
      objects: [
        '<< /First 101 0 R /Last 102 0 R /Count 3 >>',
        '<< /Title (One) /Parent 100 0 R /Next 102 0 R /First 103 0 R /Last 103 0 R /Dest [10 0 R] >>',
        '<< /Title (Two) /Parent 100 0 R /First 104 0 R /Last 104 0 R /Dest [11 0 R] >>',
        '<< /Title (One A) /Parent 101 0 R /Dest [11 0 R] >>',
        '<< /Title (Two A) /Parent 102 0 R /Dest [11 0 R] >>',
      ],
    }
    const book = await read(parts, { outline: true })
    expect(book.navigation).toEqual([
      { title: 'One', depth: 0, path: [0] },
      { title: 'One A', depth: 1, path: [0, 0] },
      { title: 'Two', depth: 0, path: [1] },
      { title: 'Two A', depth: 1, path: [1, 0] },
    ])
    expect(await read(parts)).toEqual({ ...book, navigation: [] })
  })

  it('that says nothing of itself is a book with warnings', async () => {
    expect(codesOf(await read())).toEqual([
      'warning title_missing',
      'warning author_missing',
      'warning language_missing',
    ])
  })

  it('may begin after some bytes that are not of it', async () => {
    const path = fileOf(
      Buffer.concat([Buffer.from(`${'x'.repeat(900)}\n`), makePdf({ info: '/Title (Later)' })]),
      'b.pdf',
    )
    expect((await readBook(path)).type).toBe('PDF')
  })
})

describe('an encrypted PDF', () => {
  it('is read where it opens without a password', async () => {
    const book = await read({ password: '' })
    expect(book.title).toBe('Secret')
    expect(book.problems).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        code: 'pdf_restricted',
        message: 'The PDF does not allow its readers to make notes or to change the content.',
      }),
    )
    expect(book.drm).toBeUndefined()
  })

  it('is no matter where it permits everything', async () => {
    const book = await read({ password: '', permissions: -4 })
    expect(book.title).toBe('Secret')
    expect(codesOf(book)).not.toContain('warning pdf_restricted')
  })

  it('is an error where it needs one', async () => {
    const book = await read({ password: 'open sesame' })
    expect(book).toMatchObject({ drm: 'password', authors: [] })
    expect(book.title).toBeUndefined()
    expect(codesOf(book)).toEqual(['error pdf_password'])
  })

  it.each([
    ['named as such', '/StmF /Identity /StrF /Identity'],
    ['not named', ''],
  ])(
    'is read where only its attachments are encrypted, the filter of the rest being %s',
    async (_, filters) => {
      const key = '0'.repeat(64)
      const book = await read({
        info: '/Title (Plain)',
        encrypt: `<< /Filter /Standard /V 4 /R 4 /Length 128 /CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> /EFF /StdCF ${filters} /O <${key}> /U <${key}> /P -44 >>`,
      })
      expect(book).toMatchObject({ title: 'Plain', pageCount: 2 })
      expect(book.drm).toBeUndefined()
      expect(codesOf(book)).toContain('information pdf_attachments_encrypted')
      expect(codesOf(book).filter(code => code.startsWith('error'))).toEqual([])
    },
  )

  it('is named for what protects it', async () => {
    // The name is looked for near the end, where the large one has something else.
    const encrypt = '<< /Filter /EBX_HANDLER /V 4 /Length 128 >>'
    const adept = await readBook(fileOf(makePdf({ encrypt }), 'book.pdf'))
    expect([adept.drm, codesOf(adept)]).toEqual(['Adobe ADEPT', ['error drm']])
    const other = await read({ encrypt: '<< /Filter /Nobody.Knows /V 4 /Length 128 >>' })
    expect([other.drm, codesOf(other)]).toEqual(['unknown', ['error drm']])
  })
})
