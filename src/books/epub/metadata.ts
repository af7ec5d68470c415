import { given } from '../../system/given.ts'
import { type Book, type BookTitle, type Creator, quotedText } from '../book.ts'
import { compactIsbn, isIsbn } from '../isbn.ts'
import { languageFault } from '../language.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childOf, textOf, type XmlElement } from '../xml.ts'
import { namedMeta, type Package, valuesOf } from './package.ts'

type Metadata = Pick<
  Book,
  | 'title'
  | 'titles'
  | 'authors'
  | 'creators'
  | 'language'
  | 'isbn'
  | 'publisher'
  | 'description'
  | 'identifier'
  | 'pageCount'
>

/** What a package document says about the book; adds to `problems` what it says wrongly or not at all. */
export function readMetadata(from: Package, problems: Problems): Metadata {
  const add = problemsIn(problems, from.path)
  const { position } = childOf(from.element, 'metadata') ?? from.element
  const titles = titlesOf(from)
  const creators = creatorsOf(from)
  const language = textsOf(from, 'language')[0]
  const isbn = isbnOf(from, add)
  const publisher = textsOf(from, 'publisher')[0]
  const description = textsOf(from, 'description')[0]
  const identifier = identifierOf(from)
  const pageCount = Number(valuesOf(from, 'schema:numberOfPages')[0])
  const title = (titles.find(({ kind }) => kind === 'main') ?? titles[0])?.text

  if (!title) add('warning', 'title_missing', 'The book has no title in its metadata.', position)
  if (creators.length === 0)
    add('warning', 'author_missing', 'The book has no author in its metadata.', position)
  if (!language) add('warning', 'language_missing', 'The book has no language in its metadata.', position)
  else {
    const fault = languageFault(language)
    const place = `${from.path}:${named(from, 'language')[0]?.position.line}`
    if (fault) problems.push({ severity: 'warning', ...fault, place })
  }
  if (!identifier) add('warning', 'identifier_missing', 'The book has no unique identifier.', position)
  return {
    ...given({ title }),
    titles,
    authors: creators.map(({ name }) => name),
    creators,
    ...given({ language, isbn, publisher, description, identifier }),
    ...(Number.isSafeInteger(pageCount) && pageCount > 0 && { pageCount }),
  }
}

/** The most elements of one name that are read: more than any book has, and few enough to be read at once. */
const namedLimit = 500

const named = ({ metadata }: Package, name: string): XmlElement[] =>
  metadata
    .filter(element => element.name === name)
    .slice(0, namedLimit)
    .filter(element => textOf(element) !== '')

const textsOf = (from: Package, name: string): string[] => named(from, name).map(textOf)

/** Each property that refines an element, in document order. */
function refinements(from: Package, element: XmlElement, property: string): readonly string[] {
  const id = attributeOf(element, 'id')
  return id === undefined ? [] : valuesOf(from, property, id)
}

function titlesOf(from: Package): BookTitle[] {
  return named(from, 'title').map(element => {
    const kind = refinements(from, element, 'title-type')[0]?.toLowerCase()
    return { text: textOf(element), ...(kind && { kind }) }
  })
}

/** Every creator, whatever the roles; where there is none, the contributors that are said to be authors. */
function creatorsOf(from: Package): Creator[] {
  const creators = named(from, 'creator').map(element => creator(from, element))
  if (creators.length > 0) return creators
  return named(from, 'contributor')
    .map(element => creator(from, element))
    .filter(({ roles }) => roles.includes('aut'))
}

/** The names of those who read the book aloud, by their roles and by `media:narrator`. */
export const readNarrators = (from: Package): string[] => [
  ...new Set([
    ...['creator', 'contributor']
      .flatMap(name => named(from, name))
      .map(element => creator(from, element))
      .filter(({ roles }) => roles.includes('nrt'))
      .map(({ name }) => name),
    ...valuesOf(from, 'media:narrator').slice(0, namedLimit).filter(Boolean),
  ]),
]

function creator(from: Package, element: XmlElement): Creator {
  const fileAs = refinements(from, element, 'file-as')[0] ?? attributeOf(element, 'file-as')
  const role = attributeOf(element, 'role')
  const roles = [...refinements(from, element, 'role').slice(0, namedLimit), ...(role ? [role] : [])].map(
    text => text.toLowerCase().replace(/^.*[/#:]/, ''),
  )
  return { name: textOf(element), ...(fileAs && { fileAs }), roles: [...new Set(roles)] }
}

function identifierOf(from: Package): string | undefined {
  const id = attributeOf(from.element, 'unique-identifier')
  const all = named(from, 'identifier')
  const unique = all.find(element => id !== undefined && attributeOf(element, 'id') === id) ?? all[0]
  return unique && textOf(unique)
}

/** The first valid ISBN, one of 13 digits before one of 10. */
function isbnOf(from: Package, add: ReturnType<typeof problemsIn>): string | undefined {
  const valid: string[] = []
  for (const element of named(from, 'identifier')) {
    const text = textOf(element)
    const isbn = compactIsbn(text)
    const isDeclared = isDeclaredIsbn(from, element, text)
    if (isIsbn(isbn) && (isDeclared || isbn.length === 13 || /[\s-]/.test(text))) valid.push(isbn)
    else if (isDeclared) {
      const message = `The ISBN ${quotedText(text)} is not valid: a digit is wrong or missing.`
      add('warning', 'isbn_invalid', message, element.position)
    }
  }
  return valid.find(isbn => isbn.length === 13) ?? valid[0]
}

function isDeclaredIsbn(from: Package, element: XmlElement, text: string): boolean {
  const scheme = attributeOf(element, 'scheme') ?? ''
  const types = refinements(from, element, 'identifier-type')
  // 02 and 15 are ISBN-10 and ISBN-13 in ONIX's list 5.
  return (
    /^(?:urn:)?isbn/i.test(text) ||
    /isbn/i.test(scheme) ||
    types.some(type => /^(?:02|15|isbn.*)$/i.test(type.trim()))
  )
}

/** Fixed layout and spread, from what either version of EPUB says in the package document. */
export function readRendition(from: Package): {
  layout?: Book['layout']
  spread?: NonNullable<Book['spread']>
} {
  const declared = valuesOf(from, 'rendition:layout')[0] ?? namedMeta(from, 'rendition:layout')
  const pages = from.spine.filter(({ isLinear }) => isLinear)
  const isFixed =
    declared === 'pre-paginated' ||
    declared === 'roll' ||
    (declared === undefined &&
      (namedMeta(from, 'fixed-layout') === 'true' ||
        (pages.length > 0 &&
          pages.every(({ properties }) => properties.includes('rendition:layout-pre-paginated')))))
  const spread = spreads.find(known => known === valuesOf(from, 'rendition:spread')[0])
  return {
    ...(isFixed ? { layout: 'fixed' } : declared && { layout: 'reflowable' }),
    ...(spread && { spread }),
  }
}

const spreads = ['auto', 'both', 'landscape', 'none', 'portrait'] as const
