import { quotedText } from '../book.ts'
import { fragmentOf, isElsewhere, isIdFragment, resolveInBook, withoutQuery } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import type { Fragments } from './fragments.ts'
import { isCore, isRemoteAllowed, needsCore } from './media-types.ts'
import { fallbacksOf, isEpub3, isPage, type Package } from './package.ts'
import type { Reference } from './reference.ts'
import type { ScannedDocument } from './scanned-document.ts'

/** What the references of a book's documents are held against. */
export interface Checking {
  zip: Zip
  from: Package
  problems: Problems
  /** The entries that are in the reading order. */
  pages: ReadonlySet<string>
  /** The entries that some document refers to. */
  linked: Set<string>
  /** The pages outside the reading order that a problem names already. */
  saidOutside: Set<string>
  fragments: Fragments
}

/** Adds what is wrong with the references of the document at a path, and notes what they make it need. */
export function checkReferences(path: string, scanned: ScannedDocument, checking: Checking): void {
  if (scanned.hasBase) return
  const { base } = scanned
  const start = base === undefined || isElsewhere(base) ? path : startAt(path, base)
  for (const reference of scanned.references) {
    const { href } = reference
    const isMoved = base !== undefined && isElsewhere(base) && !isElsewhere(href) && !href.startsWith('#')
    checkReference(
      path,
      start,
      isMoved ? { ...reference, href: absolute(base, href) } : reference,
      scanned,
      checking,
    )
  }
  checkForeign(path, start, scanned.references, checking)
}

/** The entry, or the folder with a slash at its end, that the references of a page start from. */
function startAt(path: string, base: string): string {
  const found = resolveInBook(path, base)?.path ?? path
  return /(?:^|\/)\.{0,2}$/.test(withoutQuery(base)) && found !== '' ? `${found}/` : found
}

function absolute(base: string, href: string): string {
  try {
    return new URL(href, base).href
  } catch {
    return base
  }
}

const withoutFragment = (href: string): string =>
  href.includes('#') ? href.slice(0, href.indexOf('#')) : href

function checkReference(
  path: string,
  start: string,
  reference: Reference,
  scanned: ScannedDocument,
  checking: Checking,
): void {
  const { href, kind, element } = reference
  const { zip, from, problems, pages, linked, saidOutside, fragments } = checking
  const add = problemsIn(problems, path)
  if (/^file:/i.test(href)) {
    add('warning', 'reference_missing', `${quotedText(href)} leads to a file of one computer.`, reference)
    return
  }
  if (isElsewhere(href)) {
    checkRemote(path, reference, scanned, checking)
    return
  }
  if (element === 'use' && !href.includes('#')) {
    add(
      'warning',
      'reference_unfit',
      `${quotedText(href)} names a file, and has to name a part of a drawing.`,
      reference,
    )
  }
  if (element === 'link' && href.includes('#') && isEpub3(from)) {
    add('warning', 'reference_unfit', `${quotedText(href)} names a part of a style sheet.`, reference)
  }
  const found = href.startsWith('#') ? { path } : resolveInBook(start, href)
  // A reference to the package document or to a folder leads somewhere in every reading system.
  if (found === undefined || found.path === '' || found.path === from.path) return
  const target = zip.nameAt(found.path)
  // Where a navigation document leads is checked with its lists.
  if (kind === 'link' && from.itemByPath.get(path)?.properties.includes('nav')) return void linked.add(target)
  const fragment = fragmentOf(href)
  if (fragment && isIdFragment(fragment) && (kind === 'link' || kind === 'reading' || element === 'use')) {
    fragments.want(target, fragment, {
      path,
      href,
      at: { line: reference.line, column: reference.column },
      isLink: kind === 'link',
    })
  }
  if (target === path) return
  const item = from.itemByPath.get(target)
  if (!zip.entries.has(target)) {
    // What is listed and not there is said once, of the manifest.
    if (item === undefined)
      add('warning', 'reference_missing', `${quotedText(href)} leads to nothing in the book.`, reference)
    return
  }
  linked.add(target)
  if (item?.mediaType === 'image/svg+xml') scanned.uses.add('svg-image')
  if (item === undefined) {
    if (target.startsWith('META-INF/')) return
    const message = `${quotedText(href)} leads to a file that the manifest does not list.`
    add('warning', 'reference_undeclared', message, reference)
  } else if (kind === 'link' && isPage(item) && !pages.has(target) && !saidOutside.has(target)) {
    saidOutside.add(target)
    const message = `${quotedText(href)} leads to a page that is not in the reading order.`
    add('warning', 'reference_outside_spine', message, reference)
  }
}

/** Adds what is shown on a page and lies elsewhere, unless it may. */
function checkRemote(
  path: string,
  reference: Reference,
  scanned: ScannedDocument,
  { from, problems }: Checking,
): void {
  const { href, kind } = reference
  if (kind !== 'resource' || !/^(?:https?:|\/\/)/i.test(href)) return
  scanned.uses.add('remote-resources')
  const item = from.itemByPath.get(withoutFragment(href))
  const isOverlay = from.itemByPath.get(path)?.mediaType === 'application/smil+xml'
  if (isEpub3(from) && item && (isOverlay || isRemoteAllowed(reference, item.mediaType))) return
  const message = `${quotedText(href)} is shown on a page and lies outside the book.`
  problemsIn(problems, path)('warning', 'reference_remote', message, reference)
}

/** Adds what is shown on a page of EPUB 3, is of a type that not every reading system knows, and has no fallback. */
function checkForeign(
  path: string,
  start: string,
  references: readonly Reference[],
  { zip, from, problems }: Checking,
): void {
  if (!isEpub3(from) || from.itemByPath.get(path)?.mediaType !== 'application/xhtml+xml') return
  const typeOf = ({ href }: Reference): string | undefined => {
    const data = /^data:([^;,]{1,200})[;,]/i.exec(href)?.[1]
    if (data !== undefined) return data.trim().toLowerCase()
    const target = isElsewhere(href) ? withoutFragment(href) : resolveInBook(start, withoutQuery(href))?.path
    return target === undefined
      ? undefined
      : from.itemByPath.get(isElsewhere(href) ? target : zip.nameAt(target))?.mediaType
  }
  const isShown = (reference: Reference, type: string | undefined): boolean => {
    if (type === undefined || type === '' || !needsCore(reference, type) || isCore(type)) return true
    const item = from.itemByPath.get(zip.nameAt(resolveInBook(start, reference.href)?.path ?? ''))
    const hasFallback =
      item !== undefined && fallbacksOf(from, item).some(({ mediaType }) => isCore(mediaType))
    // A picture is a fallback of its own.
    return hasFallback && !(reference.choice?.name === 'picture' && !reference.isTyped)
  }
  const typed = references.map(reference => ({ reference, type: typeOf(reference) }))
  const sounds = new Set(
    typed.flatMap(({ reference: { choice, element }, type = '' }) =>
      choice && choice.name !== 'picture' && element !== 'img' && isCore(type) ? [choice.number] : [],
    ),
  )
  for (const { reference, type } of typed) {
    const { href, choice, element, isTyped } = reference
    if (isShown(reference, type)) continue
    if (element === 'source' && choice?.name === 'picture' && isTyped) continue
    if (choice && sounds.has(choice.number) && element !== 'img') continue
    const message = `${quotedText(href)} is of the type ${type}, which not every reading system knows, and has no fallback.`
    problemsIn(problems, path)('warning', 'resource_foreign', message, reference)
  }
}
