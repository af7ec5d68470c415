/** The tags of a page that have a class, an id, a target or a name, each once with how often it is there, in the order of the page. */
export function pageTags(page: string): string {
  const [, body = ''] = /<body>(.*)<\/body>/s.exec(page) ?? []
  const counts = new Map<string, number>()
  for (const [, tag, attributes = ''] of body.matchAll(/<([a-z0-9]+)((?:\s[^<>]*)?)>/g)) {
    const kept = [...attributes.matchAll(/\s(id|class|href|scope|role|aria-label|tabindex|dir)="([^"]*)"/g)]
    const shown = `${tag}${kept.map(([, name, value]) => ` ${name}=${value}`).join('')}`
    if (kept.length > 0) counts.set(shown, (counts.get(shown) ?? 0) + 1)
  }
  return [...counts].map(([tag, count]) => `${count} ${tag}\n`).join('')
}
