/**
 * How many words a text has: runs of letters, digits and marks, in which an apostrophe may stand. It looks at one character
 * after the other and keeps what each is, since a regular expression takes several times as long for the text of a book.
 */
export function countWords(text: string): number {
  let count = 0
  let isWithin = false
  for (let at = 0; at < text.length; at += 1) {
    const kind = wordKind(text.charCodeAt(at))
    if (kind === wordKinds.apostrophe) continue
    if (kind === wordKinds.part && !isWithin) count += 1
    isWithin = kind === wordKinds.part
  }
  return count
}

/** What a UTF-16 code unit is to words. */
export const wordKinds = { part: 1, other: 2, apostrophe: 3 } as const

export const wordKind = (code: number): number => kinds[code] || kindOf(code)

/** What each UTF-16 code unit is; 0 for one that was not met yet. */
const kinds = new Uint8Array(0x10000)

function kindOf(code: number): number {
  const character = String.fromCharCode(code)
  // Most characters beyond the first plane that stand in books are letters; those of emoji are few. Unicode's tables are made
  // for the first character beyond ASCII, which takes 0.7 ms.
  const isPart =
    code < 0x80 ? /[\dA-Za-z]/.test(character) : /[\p{L}\p{N}\p{M}\uD800-\uDFFF]/u.test(character)
  const kind = /['’]/.test(character) ? wordKinds.apostrophe : isPart ? wordKinds.part : wordKinds.other
  kinds[code] = kind
  return kind
}
