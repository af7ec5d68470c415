import { quotedText } from '../book.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { fallbacksOf, isEpub3, type ManifestItem, type Package } from './package.ts'

/** Adds what is wrong with the files that the manifest lists. */
export function checkManifest(zip: Zip, from: Package, problems: Problems): void {
  const add = problemsIn(problems, from.path)
  const inSpine = new Set(from.spine.map(({ item }) => item))
  const byId = new Map<string, ManifestItem>()
  const byPath = new Map<string, ManifestItem>()
  for (const item of from.items) {
    const { id, path, position, href } = item
    if (byId.has(id))
      add('warning', 'manifest_id_doubled', `Two items have the id ${quotedText(id)}.`, position)
    byId.set(id, item)
    if (path === undefined) continue
    if (byPath.has(path)) add('warning', 'resource_listed_twice', `${path} is listed twice.`, position)
    byPath.set(path, item)
    if (/^\/(?!\/)/.test(href)) {
      add(
        'warning',
        'resource_absolute',
        `The manifest names ${quotedText(href)}, which begins with a slash.`,
        position,
      )
    }
    const isThere = zip.entries.has(path)
    if (item.leavesBook) {
      const message = `The manifest names ${quotedText(href)}, which leads out of the book.`
      add(isThere ? 'warning' : 'error', 'resource_outside', message, position)
    } else if (!isThere) {
      const isRead = inSpine.has(item) && !hasFallback(zip, from, item)
      add(isRead ? 'error' : 'warning', 'resource_missing', `${path} is listed but not in the zip.`, position)
    }
    if (path === from.path)
      add('warning', 'resource_is_package', 'The manifest lists the package document.', position)
    if (/^META-INF\//i.test(path)) {
      add('warning', 'resource_in_meta_inf', `${path} is a part of the book and lies in META-INF.`, position)
    }
  }
  const covers = from.items.filter(({ properties }) => properties.includes('cover-image'))
  if (covers.length > 1)
    add('warning', 'cover_doubled', 'The manifest names two covers.', covers[1]?.position)
  const dataNavs = from.items.filter(({ properties }) => properties.includes('data-nav'))
  if (dataNavs.length > 1) {
    add('warning', 'navigation_doubled', 'The manifest names two data navigations.', dataNavs[1]?.position)
  }
  // Scripts may fetch images from anywhere.
  const mustBeInside = from.items.some(isScripted) ? pagesAndStyles : pagesStylesAndImages
  for (const item of from.items) checkItem(from, item, mustBeInside, add)
}

function checkItem(
  from: Package,
  item: ManifestItem,
  mustBeInside: RegExp,
  add: ReturnType<typeof problemsIn>,
): void {
  const { itemById, version } = from
  const { id, href, mediaType, fallback, position } = item
  checkWritten(item, add)
  if (mediaType === 'text/html') {
    add(
      'warning',
      'media_type_html',
      `${quotedText(href)} is declared as text/html, which is no type of books.`,
      position,
    )
  }
  if (item.isRemote && mustBeInside.test(mediaType)) {
    add(
      'warning',
      'resource_remote',
      `${quotedText(href)} lies outside the book, where a ${mediaType} may not be.`,
      position,
    )
  }
  if (fallback !== undefined && !itemById.has(fallback)) {
    add(
      'warning',
      'fallback_unknown',
      `The fallback ${quotedText(fallback)} is not in the manifest.`,
      position,
    )
  } else if (fallbacksOf(from, item).includes(item)) {
    add('warning', 'fallback_circular', `The fallbacks of ${quotedText(id)} lead back to it.`, position)
  }
  const { fallbackStyle } = item
  if (fallbackStyle !== undefined && !itemById.has(fallbackStyle)) {
    add(
      'warning',
      'fallback_unknown',
      `The style ${quotedText(fallbackStyle)} is not in the manifest.`,
      position,
    )
  }
  for (const property of isEpub3(from) ? item.properties : []) {
    const type = propertyTypes[property]
    if (type === undefined || type.test(mediaType)) continue
    const message = `${quotedText(href)} has the property ${property}, and is ${mediaType || 'of no type'}.`
    add('warning', 'property_unfit', message, position)
  }
  // Those with the prefix of rendition belong to the spine, and other prefixes to others.
  const unknown = item.properties.filter(name =>
    name.includes(':') ? name.startsWith('rendition:') : !itemProperties.includes(name),
  )
  if (unknown.length > 0 && version?.startsWith('3')) {
    add(
      'warning',
      'property_unknown',
      `The property ${quotedText(unknown.join(' '))} is not known.`,
      position,
    )
  }
}

/** Adds what is wrong with the address and the type of an item as they are written. */
function checkWritten(
  { href, isRemote, mediaType, position }: ManifestItem,
  add: ReturnType<typeof problemsIn>,
): void {
  if (href === '')
    add('warning', 'resource_unnamed', 'An item of the manifest does not say which file it is.', position)
  if (mediaType === '') {
    add(
      'warning',
      'media_type_missing',
      `The manifest does not say of which type ${quotedText(href)} is.`,
      position,
    )
  } else if (!/^[^\s/;]{1,200}\/[^\s/;]{1,200}(?: ?;.{0,500})?$/.test(mediaType)) {
    add('warning', 'media_type_missing', `${quotedText(mediaType)} is no media type.`, position)
  }
  if (/^(?:file|data):/i.test(href)) {
    add('warning', 'resource_remote', `The manifest has the address ${quotedText(href)}.`, position)
  } else if (!isRemote && /[?#]/.test(href)) {
    const message = `The manifest names ${quotedText(href)}, and has to name whole files.`
    add('warning', 'resource_partial', message, position)
  }
}

/** The types of the files that a property can be of. */
const propertyTypes: Readonly<Record<string, RegExp>> = {
  nav: /^application\/xhtml\+xml$/,
  'data-nav': /^application\/xhtml\+xml$/,
  'cover-image': /^image\//,
  'search-key-map': /^application\/vnd\.epub\.search-key-map\+xml$/,
}

const isScripted = ({ properties }: ManifestItem): boolean => properties.includes('scripted')

/** Sound, film and fonts may lie elsewhere; pages, styles and pictures may not. */
const pagesAndStyles = /^(?:application\/xhtml\+xml|text\/css)/
const pagesStylesAndImages = /^(?:application\/xhtml\+xml|text\/css|image\/(?!svg))/

/** The properties of EPUB 3.3 and of the profiles that IDPF has published. */
const itemProperties =
  'cover-image data-nav dictionary glossary index mathml nav remote-resources scripted search-key-map svg switch'.split(
    ' ',
  )

const hasFallback = (zip: Zip, from: Package, item: ManifestItem): boolean =>
  fallbacksOf(from, item).some(({ path }) => path !== undefined && zip.entries.has(path))
