/** Up to so many words of a list are shown, and otherwise the first of them. */
const limits = { shown: 8, first: 3 }

const separators = [', ', ' or ', ', or ']

/**
 * A text in which long lists of quoted words name the first ones and count the others. Validators list all that they would take, which
 * can be a hundred attributes.
 */
export function withShortLists(text: string): string {
  // What stands between the quotes is at the odd places.
  const parts = text.split('"')
  const kept: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    let last = at
    if (at % 2 === 1) while (separators.includes(parts[last + 1] ?? '')) last += 2
    const count = (last - at) / 2 + 1
    if (count <= limits.shown) {
      kept.push(...parts.slice(at, last + 1))
      at = last
      continue
    }
    kept.push(...parts.slice(at, at + 2 * limits.first - 1))
    kept.push(` or one of ${count - limits.first} others${parts[last + 1] ?? ''}`)
    at = last + 1
  }
  return kept.join('"')
}
