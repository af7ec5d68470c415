/**
 * Cuts a text from outside for a page, whose other parts it would hide, and marks the cut with "…". Unlike `cutText` it cuts
 * within a word: a page is made of values in which secrets are hidden already.
 */
export function cutValue(text: string, max = 400): string {
  if (text.length <= max) return text
  const isPair = /[\ud800-\udbff]/.test(text[max - 1] ?? '')
  return `${text.slice(0, isPair ? max - 1 : max)}…`
}
