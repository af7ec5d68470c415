import { gzipSync } from 'node:zlib'
import { message, record, title } from './onix-message.ts'

/** A sound message, with what other encodings write in other ways. */
export const whole = message(record({ title: title({ TitleText: 'Étude – œuvre' }) }))

/** The same in UTF-8, whatever it declares. */
export const declared = (encoding: string): string => whole.replace('UTF-8', encoding)

const opened = '<?xml version="1.0"?>\n<ONIXMessage release="3.0">'

/** A message whose first element has these attributes. */
export const inRoot = (attributes: string): string => `<ONIXMessage${attributes}>${record()}</ONIXMessage>`

const laughs = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
)

/** Messages that cannot be used as a whole: what is said of each, and what to do. */
export const refusedMessages: readonly [
  name: string,
  content: string | Buffer,
  words: RegExp,
  hint: RegExp,
][] = [
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
]

/** The same messages, by what they are. */
export const hostileMessages: Readonly<Record<string, string | Buffer>> = Object.fromEntries(
  refusedMessages.map(([name, content]) => [name, content]),
)
