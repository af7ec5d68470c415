/** The attributes of an HTML tag: a name, and a value in quotation marks of either kind or in none. */
const attributes = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g

/** The value of the first attribute of a name in an HTML tag. Undefined where it has none. */
export function attribute(tag: string, wanted: string): string | undefined {
  for (const [, name = '', double, single, bare] of tag.matchAll(attributes))
    if (name.toLowerCase() === wanted) return double ?? single ?? bare
  return undefined
}
