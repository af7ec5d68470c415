import { quotedText } from '../book.ts'
import { fragmentOf, isElsewhere, isIdFragment, resolveInBook } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import type { Content } from './check-content.ts'
import type { NavigationDocument, NavigationLink } from './navigation.ts'
import { fallbacksOf, isPage, type Package, pagePathsOf } from './package.ts'

interface Target extends NavigationLink {
  path: string
  fragment?: string
}

/** The references of a navigation document that lead into the book, with where they lead. */
const targetsOf = (zip: Zip, { path, links }: NavigationDocument): Target[] =>
  links.flatMap(link => {
    const found = link.href.startsWith('#') ? { path } : resolveInBook(path, link.href)
    const fragment = fragmentOf(link.href)
    return found ? [{ ...link, path: zip.nameAt(found.path), ...(fragment && { fragment }) }] : []
  })

/** Adds what is wrong with where a table of contents leads. */
export function checkTargets(
  zip: Zip,
  from: Package,
  navigation: NavigationDocument,
  content: Content,
  problems: Problems,
): void {
  const add = problemsIn(problems, navigation.path)
  const orders = new Map(from.spine.map(({ item }, index) => [item?.path, index]))
  const pages = pagePathsOf(from)
  for (const { href, list, position } of navigation.links) {
    if (list === 'other' || !isElsewhere(href)) continue
    add('warning', 'navigation_target_remote', `${quotedText(href)} leads out of the book.`, position)
  }
  const saidOutside = new Set<string>()
  const last = new Map<NavigationLink['list'], { order: number; id: number }>()
  for (const { href, path, fragment, list, position } of targetsOf(zip, navigation)) {
    const item = from.itemByPath.get(path)
    const order = orders.get(path)
    const ids = content.ids.get(path)
    if (path === from.path) continue
    if (item === undefined || !zip.entries.has(path)) {
      add(
        'warning',
        'navigation_target_missing',
        `${quotedText(href)} leads to nothing in the book.`,
        position,
      )
    } else if (list !== 'other' && !pages.has(path) && ![item, ...fallbacksOf(from, item)].some(isPage)) {
      add(
        'warning',
        'navigation_target_unfit',
        `${quotedText(href)} leads to a file that is no page.`,
        position,
      )
    } else if (list !== 'other' && !pages.has(path)) {
      if (saidOutside.has(path)) continue
      saidOutside.add(path)
      const message = `${quotedText(href)} leads to a page that is not in the reading order.`
      add('warning', 'navigation_target_outside_spine', message, position)
    } else if (fragment && ids && isIdFragment(fragment) && !ids.has(fragment)) {
      add(
        'warning',
        'navigation_target_missing',
        `${quotedText(href)} leads to an id that its page does not have.`,
        position,
      )
    } else if (order !== undefined && (list === 'toc' || list === 'page-list')) {
      const id = (fragment && ids?.get(fragment)) || 0
      const before = last.get(list)
      if (before && (before.order > order || (before.order === order && before.id > id && id > 0))) {
        const message = `${quotedText(href)} stands after an entry that leads to a later place of the book.`
        add(list === 'toc' ? 'warning' : 'information', 'navigation_unordered', message, position)
      }
      last.set(list, { order, id })
    }
  }
}
