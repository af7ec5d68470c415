/**
 * How many words a text has: runs of letters, digits and marks, in which an apostrophe may stand. It looks at one character
 * after the other and keeps what each is, since a regular expression takes several times as long for the text of a book.
 */
export function countWords(text: string): number {
  let count = 0
  let isWithin = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const kind = kinds[code] || kindOf(code)
    if (kind === apostrophe) continue
    if (kind === part && !isWithin) count += 1
    isWithin = kind === part
  }
  return count
}

/** What each UTF-16 code unit is; 0 for one that was not met yet. */
const kinds = new Uint8Array(0x10000)

const [part, other, apostrophe] = [1, 2, 3]

function kindOf(code: number): number {
  const character = String.fromCharCode(code)
  // Most characters beyond the first plane that stand in books are letters; those of emoji are few.
  const isPart = /[\p{L}\p{N}\p{M}\uD800-\uDFFF]/u.test(character)
  const kind = /['’]/.test(character) ? apostrophe : isPart ? part : other
  kinds[code] = kind
  return kind
}
