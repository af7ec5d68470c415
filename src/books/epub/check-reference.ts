import { quoted } from '../book.ts'
import { isElsewhere, resolveInBook } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { isPage, type ManifestItem, type Package } from './package.ts'
import type { Reference, ScannedDocument } from './scan-document.ts'

/** What the references of a book's documents are held against. */
export interface Checking {
  zip: Zip
  from: Package
  problems: Problems
  /** The manifest, by path, and by address for what lies elsewhere. */
  items: ReadonlyMap<string, ManifestItem>
  /** The entries that are in the reading order. */
  pages: ReadonlySet<string>
  /** The entries that some document refers to. */
  linked: Set<string>
  /** The pages outside the reading order that a problem names already. */
  saidOutside: Set<string>
}

const withoutFragment = (href: string): string =>
  href.includes('#') ? href.slice(0, href.indexOf('#')) : href

/** Adds what is wrong with a reference of the document at a path, and notes what it makes that document need. */
export function checkReference(
  path: string,
  { href, kind, line }: Reference,
  scanned: ScannedDocument,
  { zip, from, problems, items, pages, linked, saidOutside }: Checking,
): void {
  const add = problemsIn(problems, path)
  if (isElsewhere(href)) {
    if (kind !== 'resource' || !/^(?:https?:|\/\/)/i.test(href)) return
    scanned.uses.add('remote-resources')
    if (from.version?.startsWith('3') && items.has(withoutFragment(href))) return
    add('warning', 'reference_remote', `${quoted(href)} is shown on a page and lies outside the book.`, line)
    return
  }
  const found = resolveInBook(path, href)
  // A reference to the page itself, to the package document or to a folder leads somewhere in every reading system.
  if (found === undefined || found.path === '' || found.path === path || found.path === from.path) return
  const target = zip.nameAt(found.path)
  // Where a navigation document leads is checked with its lists.
  if (kind === 'link' && items.get(path)?.properties.includes('nav')) return void linked.add(target)
  const item = items.get(target)
  if (!zip.entries.has(target)) {
    // What is listed and not there is said once, of the manifest.
    if (item === undefined)
      add('warning', 'reference_missing', `${quoted(href)} leads to nothing in the book.`, line)
    return
  }
  linked.add(target)
  if (item?.mediaType === 'image/svg+xml') scanned.uses.add('svg-image')
  if (item === undefined) {
    if (target.startsWith('META-INF/')) return
    add(
      'warning',
      'reference_undeclared',
      `${quoted(href)} leads to a file that the manifest does not list.`,
      line,
    )
  } else if (kind === 'link' && isPage(item) && !pages.has(target) && !saidOutside.has(target)) {
    saidOutside.add(target)
    const message = `${quoted(href)} leads to a page that is not in the reading order.`
    add('warning', 'reference_outside_spine', message, line)
  }
}
