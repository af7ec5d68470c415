/**
 * The zip entry that a reference in the entry `from` points to, without query and fragment. Undefined for a reference that
 * leads out of the book, for example to the web.
 */
export function resolveHref(from: string, href: string): string | undefined {
  const found = resolveInBook(from, href)
  return found === undefined || found.leavesBook ? undefined : found.path
}

/**
 * The same for one that may lead out of the book: browsers stay at the root where a path has more `..` than folders.
 * Undefined for one that leads to another place.
 */
export function resolveInBook(from: string, href: string): { path: string; leavesBook: boolean } | undefined {
  const path = withoutQuery(href)
  if (path === '' || isElsewhere(path)) return undefined
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1)
  let leavesBook = false
  for (const part of decoded(path).split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) leavesBook = true
  }
  return { path: parts.join('/'), leavesBook }
}

/** A reference without its query and its fragment. */
export function withoutQuery(href: string): string {
  const end = href.search(/[?#]/)
  return end < 0 ? href : href.slice(0, end)
}

/** The fragment of a reference, decoded; undefined where it has none. */
export function fragmentOf(href: string): string | undefined {
  const start = href.indexOf('#')
  return start < 0 || start + 1 === href.length ? undefined : decoded(href.slice(start + 1))
}

/** Whether a fragment is an id, and not a scheme such as `epubcfi(…)` or `xywh=…`, nor the top of every page. */
export const isIdFragment = (fragment: string): boolean =>
  /^[^(=]+$/.test(fragment) && !fragment.startsWith(':~:') && fragment !== 'top'

/** Percent-decoded, or unchanged if the encoding is invalid. */
function decoded(path: string): string {
  // To decode what is not encoded takes as long.
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Whether a reference has a scheme or a host, so that it does not point into the book. */
export const isElsewhere = (href: string): boolean => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)
