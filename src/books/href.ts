/**
 * The zip entry that a reference in the entry `from` points to, without query and fragment. Undefined for a reference that
 * leads out of the book, for example to the web.
 */
export function resolveHref(from: string, href: string): string | undefined {
  const path = withoutQuery(href)
  if (path === '' || isElsewhere(path)) return undefined
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of decoded(path).split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** A reference without its query and its fragment. */
export function withoutQuery(href: string): string {
  const end = href.search(/[?#]/)
  return end < 0 ? href : href.slice(0, end)
}

/** Percent-decoded, or unchanged if the encoding is invalid. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Whether a reference has a scheme or a host, so that it does not point into the book. */
export const isElsewhere = (href: string): boolean => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)
