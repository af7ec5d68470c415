import { quotedText } from '../book.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childOf } from '../xml.ts'
import { ncxType } from './navigation.ts'
import type { Package } from './package.ts'

/** Adds what is wrong with the attributes of the package document and with what points into it. */
export function checkPackage(from: Package, problems: Problems): void {
  const add = problemsIn(problems, from.path)
  const { element, version, items, itemById, ncxId } = from
  if (!version)
    add(
      'warning',
      'version_missing',
      'The package does not say which version of EPUB it is.',
      element.position,
    )
  else if (!/^[123]\.\d$/.test(version)) {
    add(
      'warning',
      'version_unknown',
      `The package says that it is of version ${quotedText(version)}.`,
      element.position,
    )
  }
  const id = attributeOf(element, 'unique-identifier')
  if (id === undefined) {
    const message = 'The package does not say which of its identifiers is the unique one.'
    add('warning', 'unique_identifier_missing', message, element.position)
  } else if (!from.metadata.some(one => one.name === 'identifier' && attributeOf(one, 'id') === id)) {
    const message = `The package names ${quotedText(id)} as its unique identifier, and no identifier has that id.`
    add('warning', 'unique_identifier_unknown', message, element.position)
  }
  const spine = childOf(element, 'spine')
  const ncx = itemById.get(ncxId ?? '')
  if (ncxId !== undefined && ncx?.mediaType !== ncxType) {
    const what =
      ncx === undefined ? 'which the manifest does not have' : `which is no NCX but ${ncx.mediaType}`
    add(
      'warning',
      'ncx_wrong',
      `The spine names ${quotedText(ncxId)} as the table of contents, ${what}.`,
      spine?.position,
    )
  } else if (ncxId === undefined && spine !== undefined) {
    const isThere = items.some(({ mediaType }) => mediaType === ncxType)
    if (version?.startsWith('2') || isThere) {
      const message = 'The spine does not name the NCX, the table of contents of EPUB 2.'
      add('warning', 'ncx_unnamed', message, spine.position)
    }
  }
  const navs = items.filter(({ properties }) => properties.includes('nav'))
  if (navs.length > 1) {
    add('warning', 'navigation_doubled', 'The manifest names two navigation documents.', navs[1]?.position)
  }
  if (attributeOf(spine, 'page-map') !== undefined) {
    add('warning', 'page_map', 'The spine has a page map, which is no part of EPUB.', spine?.position)
  }
  checkGuide(from, add)
}

function checkGuide({ guide, itemByPath }: Package, add: ReturnType<typeof problemsIn>): void {
  for (const { path, position } of guide) {
    const target = itemByPath.get(path)
    if (target === undefined) {
      add(
        'warning',
        'guide_target_missing',
        `The guide leads to ${path}, which is not in the manifest.`,
        position,
      )
    } else if (/^(?:image\/(?!svg)|audio|video|font|text\/css)/.test(target.mediaType)) {
      add('warning', 'guide_target_unfit', `The guide leads to ${path}, which is no page.`, position)
    }
  }
}
