import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Product } from '../../src/plan/product.ts'
import type { Failure } from '../../src/system/errors.ts'
import { message, onixFile, record, title } from '../support/catalogues/onix.ts'
import { readProducts } from '../support/catalogues/read-products.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

async function titlesIn(path: string): Promise<(string | undefined)[]> {
  const titles: (string | undefined)[] = []
  for await (const product of readProducts([path])) titles.push((product as Product).overrides.title)
  return titles
}

const whole = message(record({ title: title({ TitleText: 'Étude – œuvre' }) }))
const declared = (encoding: string): string => whole.replace('UTF-8', encoding)
const opened = '<?xml version="1.0"?>\n<ONIXMessage release="3.0">'
const inRoot = (attributes: string): string => `<ONIXMessage${attributes}>${record()}</ONIXMessage>`
const laughs = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
)

describe('an ONIX message', () => {
  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(whole)],
    ['UTF-8 without a declaration', Buffer.from(whole.replace(/^<\?.*\?>\n/, ''))],
    ['UTF-8 with a byte order mark, whatever it declares', Buffer.from(`\uFEFF${declared('ISO-8859-1')}`)],
    ['UTF-16 of little endian', Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le')],
    ['UTF-16 of big endian', Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(declared('UTF-16LE'), 'utf16le')],
    [
      'Windows-1252',
      Buffer.from(declared('windows-1252').replace('–', '\x96').replace('œ', '\x9c'), 'latin1'),
    ],
    [
      'ISO-8859-1 with the dashes of Windows',
      Buffer.from(declared('iso-8859-1').replace('–', '\x96').replace('œ', '\x9c'), 'latin1'),
    ],
    [
      'ISO-8859-1 with numbers for the rest',
      Buffer.from(declared('ISO-8859-1').replace('–', '&#8211;').replace('œ', '&#x153;'), 'latin1'),
    ],
    [
      'ISO-8859-15',
      Buffer.from(declared('ISO-8859-15').replace('–', '&#8211;').replace('œ', '\xbd'), 'latin1'),
    ],
  ])('is read in %s', async (_, bytes) => {
    expect(await titlesIn(onixFile(bytes))).toEqual(['Étude – œuvre'])
  })

  it('is told by its content, whatever its name', async () => {
    expect(await titlesIn(onixFile(whole, 'feed.csv'))).toEqual(['Étude – œuvre'])
    expect(
      await titlesIn(onixFile(Buffer.from(`\uFEFF\n${whole}`.replace(/<\?.*\?>\n/, ''), 'utf16le'), 'feed')),
    ).toEqual(['Étude – œuvre'])
  })

  it('may say that it has no products', async () => {
    expect(await titlesIn(onixFile(message('<NoProduct/>')))).toEqual([])
  })

  it("has HTML's entities where it has a document type, which is not fetched", async () => {
    const system = 'http://127.0.0.1:1/ONIX_BookProduct_3.0_reference.dtd'
    const xml = `<!DOCTYPE ONIXMessage SYSTEM "${system}">${inRoot(' release="3.0"').replace('The Sea', 'Caf&eacute; &mdash; &#233;')}`
    expect(await titlesIn(onixFile(xml))).toEqual(['Café — é'])
  })

  it.each<[string, string | Buffer, RegExp, RegExp]>([
    [
      'of entities upon entities',
      `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs.join('')}]>${inRoot(' release="3.0"').replace('The Sea', '&l9;')}`,
      /entity &l9;, .*: line 1$/,
      /not expanded/,
    ],
    [
      'with an entity that is a file',
      `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>${inRoot(' release="3.0"').replace('The Sea', '&e;')}`,
      /entity &e;/,
      /not expanded/,
    ],
    [
      'with a stray &',
      whole.replace('</Header>', '</Header>\n<!-- -->').replace('Étude', 'Sea & Étude\n;'),
      /a & that begins no entity: line 5$/,
      /&amp;/,
    ],
    [
      'with an entity that it does not declare',
      message(record().replace('The Sea', 'Caf&eacute;')),
      /entity &eacute;.*: line 4$/,
      /&#233;/,
    ],
    [
      'with a zero byte',
      whole.replace('Étude', 'Ét\0de'),
      /not well-formed XML \(.*: line 4$/,
      /export it again/,
    ],
    ['of UTF-7', declared('UTF-7'), /declares the encoding "UTF-7", which is not known/, /UTF-8/],
    [
      'of another encoding than it declares',
      Buffer.from(whole, 'latin1'),
      /bytes that are not UTF-8 text: line 4$/,
      /declares/,
    ],
    [
      'of bytes that are not in Windows-1252',
      Buffer.from(declared('windows-1252').replace('–', '\x81'), 'latin1'),
      /not WINDOWS-1252 text: line 4$/,
      /declares/,
    ],
    ['that ends within a record', whole.slice(0, -60), /ends before it is complete: line 4$/, /cut off/],
    [
      'that ends between two records',
      whole.replace('</ONIXMessage>', ''),
      /ends before it is complete: line 5$/,
      /cut off/,
    ],
    ['that ends within a tag', whole.slice(0, -5), /ends before it is complete/, /cut off/],
    ['that is empty', '', /is empty/, /again/],
    ['of blank lines', '\n\n', /ends before it is complete/, /cut off/],
    ['that is packed', gzipSync(whole), /compressed with gzip/, /gunzip/],
    ['that is a ZIP archive', Buffer.from('PK\x03\x04 and more'), /ZIP archive/, /Unpack/],
    ['of the wrong end tags', message('<Product></product>'), /not well-formed XML.*: line 4$/, /again/],
    ['with more after it', `${whole}<more/>`, /not well-formed XML/, /again/],
    [
      'that is a web page',
      '<!DOCTYPE html><html><p>503',
      /not an ONIX message: its first element is <html>/,
      /3\.0 and 3\.1/,
    ],
    ['of ONIX 2.1 by its release', inRoot(' release="2.1"'), /it is ONIX 2\.1/, /2\.1 can export 3\.0/],
    [
      'of ONIX 2.1 by its namespace',
      inRoot(' xmlns="http://www.editeur.org/onix/2.1/reference"'),
      /it is ONIX 2\.1/,
      /3\.0/,
    ],
    [
      'of ONIX 2.1 by its document type',
      `<!DOCTYPE ONIXMessage SYSTEM "http://www.editeur.org/onix/2.1/03/reference/onix-international.dtd">${inRoot('')}`,
      /it is ONIX 2\.1/,
      /3\.0/,
    ],
    ['that names no release', inRoot(''), /names no release, as in ONIX 2\.1/, /3\.0/],
    ['of a release to come', inRoot(' release="4.0"'), /release "4\.0" is not 3\.0 or 3\.1/, /3\.0/],
    ['of a foreign namespace', inRoot(' release="3.0" xmlns="urn:x"'), /namespace "urn:x"/, /3\.0/],
    ['without products', message(), /has no products/, /again/],
    ['that is nested too deep', `${opened}${'<a>'.repeat(300)}`, /nested deeper/, /again/],
    [
      'with too many attributes',
      `${opened}<a ${Array.from({ length: 101 }, (_, index) => `a${index}=""`).join(' ')}/>`,
      /more attributes/,
      /again/,
    ],
    ['with the same attribute twice', `${opened}<a b="" b=""/>`, /not well-formed/, /again/],
  ])('%s is refused in a line', async (_, content, words, hint) => {
    const path = onixFile(content)
    const failure: Failure = await titlesIn(path).then(
      () => expect.unreachable(),
      error => error,
    )
    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringMatching(words) })
    expect(failure.message).toContain(path)
    expect(failure.message).not.toContain('\n')
    expect(failure.hint).toMatch(hint)
  })

  it('that is a folder is refused in a line', async () => {
    const folder = join(temporaryFolder(), 'feed.xml')
    mkdirSync(folder)
    await expect(titlesIn(folder)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('is a folder'),
    })
  })

  it('that is broken off gives the records before that, and then the failure', async () => {
    const records = Array.from({ length: 1000 }, (_, index) => record({ reference: `r${index}` }))
    const path = onixFile(message(...records).slice(0, -100))
    let count = 0
    const reading = async () => {
      for await (const _ of readProducts([path])) count += 1
    }
    await expect(reading()).rejects.toMatchObject({ code: 'bad_onix' })
    expect(count).toBe(999)
  })
})
