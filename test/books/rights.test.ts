import { describe, expect, it } from 'vitest'
import { rawZip } from '../support/books/hostile-zip.ts'
import { fileOf, honestMetadata, makeBook, packageOf } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { readBook } from '../support/books/read-book.ts'

const rightsOf = async (content: Uint8Array, name?: string) =>
  (await readBook(fileOf(content, name), { rights: true })).rights

/** The values of what an EPUB says, without their places. */
async function saidBy(metadata: string, parts: { prefix?: string; version?: string } = {}) {
  const { prefix = '', version = '3.0' } = parts
  const sound = packageOf({ metadata: honestMetadata + metadata, version })
  const content = makeBook({ package: sound.replace('<package ', `<package prefix="${prefix}" `) })
  const found = await rightsOf(content)
  const values = (all: readonly { value: string }[] = []) => all.map(({ value }) => value)
  return {
    reservations: values(found?.reservations),
    policies: values(found?.policies),
    sources: values(found?.digitalSources),
    narrators: found?.narrators,
  }
}

const nothing = { reservations: [], policies: [], sources: [], narrators: [] }
const policy = 'https://press.example/tdm'

describe('what an EPUB says of its rights', () => {
  it.each<[string, string, { prefix?: string; version?: string }, object]>([
    [
      'as EPUB 3 has it',
      `<meta property="tdm:reservation">1</meta><meta property="tdm:policy">${policy}</meta>`,
      { prefix: 'tdm: http://www.w3.org/ns/tdmrep#' },
      { reservations: ['1'], policies: [policy] },
    ],
    [
      'by another prefix',
      '<meta property="mine:reservation">0</meta><meta property="tdm:reservation">1</meta>',
      { prefix: 'mine: http://www.w3.org/ns/tdmrep# tdm: http://tdm.example/' },
      { reservations: ['0'] },
    ],
    [
      'by the address of PDF',
      '<meta property="tdm:reservation"> 1 </meta>',
      { prefix: 'tdm: http://www.w3.org/ns/tdmrep/' },
      { reservations: ['1'] },
    ],
    ['without a declared prefix', '<meta property="tdm:reservation">1</meta>', {}, { reservations: ['1'] }],
    [
      'as EPUB 2 has it',
      `<meta name="tdm:reservation" content="1"/><meta name="tdm:policy" content="${policy}"/>`,
      { version: '2.0' },
      { reservations: ['1'], policies: [policy] },
    ],
    [
      'twice and otherwise',
      '<meta property="tdm:reservation">1</meta><meta property="tdm:reservation">yes</meta>',
      {},
      { reservations: ['1', 'yes'] },
    ],
    ['of a part of it', '<meta property="tdm:reservation" refines="#one">1</meta>', {}, {}],
    ['by the names of HTML', '<meta name="tdm-reservation" content="1"/>', {}, {}],
    [
      'and of who reads it',
      `<dc:contributor id="n">Nell Reader</dc:contributor><meta property="role" refines="#n">nrt</meta>
        <meta property="media:narrator">Ned Voice</meta><dc:contributor opf:role="ill" xmlns:opf="o">Ill</dc:contributor>`,
      {},
      { narrators: ['Nell Reader', 'Ned Voice'] },
    ],
    [
      'and of where it came from',
      '<meta property="schema:digitalSourceType">https://schema.org/TrainedAlgorithmicMediaDigitalSource</meta>',
      {},
      { sources: ['https://schema.org/TrainedAlgorithmicMediaDigitalSource'] },
    ],
  ])('is read %s', async (_, metadata, parts, expected) => {
    expect(await saidBy(metadata, parts)).toEqual({ ...nothing, ...expected })
  })

  it('has its place', async () => {
    const found = await rightsOf(
      makeBook({ metadata: `${honestMetadata}\n<meta property="tdm:reservation">1</meta>` }),
    )
    expect(found?.reservations).toEqual([
      { value: '1', place: expect.stringMatching(/^EPUB\/package\.opf:\d+$/) },
    ])
  })

  it('is only read on request, and not without end', async () => {
    const content = makeBook({
      metadata: honestMetadata + '<meta property="tdm:reservation">1</meta>'.repeat(500),
    })
    expect((await rightsOf(content))?.reservations).toHaveLength(20)
    expect(await readBook(fileOf(content))).not.toHaveProperty('rights')
  })
})

const xmp = (description: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF></x:xmpmeta>`

describe('what a PDF says of its rights', () => {
  const tdm = 'http://www.w3.org/ns/tdmrep/'
  const value = (text: string) => ({ value: text, place: 'XMP' })
  it.each<[string, string, object]>([
    [
      'in elements',
      `<rdf:Description xmlns:tdm="${tdm}"><tdm:reservation>1</tdm:reservation><tdm:policy>${policy}</tdm:policy></rdf:Description>`,
      { reservations: [value('1')], policies: [value(policy)] },
    ],
    [
      'in attributes, by another prefix',
      `<rdf:Description xmlns:m="${tdm}" m:reservation="0"/>`,
      { reservations: [value('0')] },
    ],
    [
      'as the address of a resource',
      `<rdf:Description xmlns:tdm="${tdm}"><tdm:policy rdf:resource="${policy}"/></rdf:Description>`,
      { policies: [value(policy)] },
    ],
    [
      'by another namespace, which is none of it',
      '<rdf:Description xmlns:tdm="https://hotel.example/"><tdm:reservation>1</tdm:reservation></rdf:Description>',
      {},
    ],
    [
      'of where it came from',
      '<rdf:Description xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/>',
      { digitalSources: [value('http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia')] },
    ],
  ])('is read %s', async (_, description, expected) => {
    const none = { reservations: [], policies: [], narrators: [], digitalSources: [] }
    expect(await rightsOf(makePdf({ xmp: xmp(description) }), 'book.pdf')).toEqual({ ...none, ...expected })
  })
})

describe('what an audiobook says of its rights', () => {
  const manifest = (more: object) =>
    rawZip([
      {
        name: 'publication.json',
        content: JSON.stringify({ name: 'A', readingOrder: [{ url: 'one.mp3' }], ...more }),
      },
      { name: 'one.mp3', content: 'ID3' },
    ])
  const value = (text: string) => ({ value: text, place: 'publication.json' })
  it.each<[string, object, object]>([
    [
      'as in EPUB',
      { 'tdm:reservation': 1, 'tdm:policy': policy },
      { reservations: [value('1')], policies: [value(policy)] },
    ],
    [
      'by whole addresses',
      { 'http://www.w3.org/ns/tdmrep#reservation': '0' },
      { reservations: [value('0')] },
    ],
    [
      'as Readium has it',
      { tdm: { reservation: 'all', policy } },
      { reservations: [value('1')], policies: [value(policy)] },
    ],
    [
      'as Readium has it, when nothing is reserved',
      { tdm: { reservation: 'none' } },
      { reservations: [value('0')] },
    ],
    ['of who reads it', { readBy: ['Nell Reader'] }, { narrators: ['Nell Reader'] }],
    ['if it is none', { tdm: [null, {}], 'tdm:reservation': { a: 1 } }, {}],
  ])('is read %s', async (_, more, expected) => {
    const none = { reservations: [], policies: [], narrators: [], digitalSources: [] }
    expect(await rightsOf(manifest(more), 'book.lpf')).toEqual({ ...none, ...expected })
  })
})
