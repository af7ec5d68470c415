/** What EPUB 3 says of a property of the metadata. */
export interface MetaRule {
  /** The elements or properties that it must say something about; none where it may be of the whole book. */
  of?: readonly string[]
  /** Those that it may say something about, besides the whole book. */
  mayBeOf?: readonly string[]
  /** Whether it is of the whole book, always. */
  isGlobal?: true
  /** Whether it may stand once only for what it is of. */
  isOnce?: true
  /** What it may be, as a pattern or as all of the words, and as words for a person. */
  value?: readonly [RegExp | readonly string[], string]
  isDeprecated?: true
}

/** A time in a media overlay: hours, minutes and seconds, or a number with or without its unit. */
export const clockValue =
  /^(?:\d{1,9}:[0-5]\d:[0-5]\d(?:\.\d{1,9})?|[0-5]\d:[0-5]\d(?:\.\d{1,9})?|\d{1,12}(?:\.\d{1,9})?(?:h|min|s|ms)?)$/

const oneOf = (...words: string[]): readonly [readonly string[], string] => [
  words,
  `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
]

const clock = [clockValue, 'a time such as 0:01:30.5 or 90.5s'] as const
const rendition = (...words: string[]): MetaRule => ({ isGlobal: true, isOnce: true, value: oneOf(...words) })
const className: MetaRule = { isGlobal: true, isOnce: true, value: [/^\S{1,1000}$/, 'one name of a class'] }

/** The properties of EPUB 3.3, of the vocabularies that it reserves and knows whole, and of the dictionaries of IDPF. */
export const metaRules: Readonly<Record<string, MetaRule>> = {
  'alternate-script': {},
  authority: { of: ['subject'], isOnce: true },
  'belongs-to-collection': { mayBeOf: ['belongs-to-collection'] },
  'collection-type': { of: ['belongs-to-collection'], isOnce: true },
  'display-seq': { isOnce: true },
  'file-as': { isOnce: true },
  'group-position': { isOnce: true },
  'identifier-type': { of: ['identifier', 'source'], isOnce: true },
  'meta-auth': { isDeprecated: true },
  pageBreakSource: {},
  role: { of: ['creator', 'contributor', 'publisher'] },
  'source-of': { of: ['source'], isOnce: true, value: [/^pagination$/, 'pagination'] },
  term: { of: ['subject'], isOnce: true },
  'title-type': { of: ['title'], isOnce: true },
  'source-language': {},
  'target-language': {},
  'dictionary-type': {
    value: oneOf(
      ...['monolingual', 'bilingual', 'multilingual', 'thesaurus', 'encyclopedia', 'spelling'],
      ...['pronouncing', 'etymological'],
    ),
  },
  'dcterms:modified': {
    value: [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'a time such as 2026-01-31T12:00:00Z'],
  },
  'rendition:flow': rendition('paginated', 'scrolled-continuous', 'scrolled-doc', 'auto'),
  'rendition:layout': rendition('reflowable', 'pre-paginated', 'roll'),
  'rendition:orientation': rendition('landscape', 'portrait', 'auto'),
  'rendition:spread': rendition('none', 'landscape', 'portrait', 'both', 'auto'),
  'rendition:viewport': {
    isOnce: true,
    isDeprecated: true,
    value: [
      /^(?:width=\d{1,9}, ?height=\d{1,9}|height=\d{1,9}, ?width=\d{1,9})$/,
      'of the form width=1200, height=800',
    ],
  },
  'media:active-class': className,
  'media:duration': { value: clock },
  'media:narrator': {},
  'media:playback-active-class': className,
  'a11y:certifiedBy': {},
  'a11y:certifierCredential': {},
  'a11y:certifierReport': {},
  'a11y:exemption': {},
}

/** What a link of the metadata may be to the book, and those of them that are no longer to be used. */
export const linkRelations =
  'acquire alternate record voicing marc21xml-record mods-record onix-record xml-signature xmp-record a11y:certifierCredential a11y:certifierReport'.split(
    ' ',
  )
export const oldLinkRelations = 'marc21xml-record mods-record onix-record xml-signature xmp-record'.split(' ')

/** What a link may say of a record. */
export const linkProperties = ['onix', 'xmp']

/** The properties of a place in the reading order; those of a line exclude each other. */
export const itemrefProperties: readonly (readonly string[])[] = [
  [
    ...['page-spread-left', 'page-spread-right', 'rendition:page-spread-center'],
    ...['rendition:page-spread-left', 'rendition:page-spread-right'],
  ],
  [
    'rendition:flow-paginated',
    'rendition:flow-scrolled-continuous',
    'rendition:flow-scrolled-doc',
    'rendition:flow-auto',
  ],
  ['rendition:layout-reflowable', 'rendition:layout-pre-paginated', 'rendition:layout-roll'],
  ['rendition:orientation-landscape', 'rendition:orientation-portrait', 'rendition:orientation-auto'],
  [
    ...['rendition:spread-portrait', 'rendition:spread-landscape', 'rendition:spread-both'],
    ...['rendition:spread-none', 'rendition:spread-auto'],
  ],
]

/** The vocabularies that need no declaration, by their prefixes. */
export const reservedPrefixes: Readonly<Record<string, string>> = {
  a11y: 'http://www.idpf.org/epub/vocab/package/a11y/#',
  dcterms: 'http://purl.org/dc/terms/',
  marc: 'http://id.loc.gov/vocabulary/',
  media: 'http://www.idpf.org/epub/vocab/overlays/#',
  onix: 'http://www.editeur.org/ONIX/book/codelists/current.html#',
  rendition: 'http://www.idpf.org/vocab/rendition/#',
  schema: 'http://schema.org/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

/** The reserved vocabularies of which every property is known. */
export const closedPrefixes = ['a11y', 'media', 'rendition']
