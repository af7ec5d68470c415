/** The colour sequences that pubctl and its prompts write, and no others. */
const ownColours = /\u001b\[(?:1|2|22|31|32|33|34|36|39)m/g
/** What a spinner or a prompt needs to draw in place: cursor moves, erasing, hiding and showing the cursor. */
const ownDrawing = /\u001b\[(?:\?(?:25|2026)[hl]|\d*[ABCDGJK])|\r(?=\n)/g

/** A text without pubctl's own colours. */
export const withoutColours = (text: string): string => text.replace(ownColours, '')

/**
 * The characters in a text that a terminal would obey, or that reorder or hide what stands around them, told apart by
 * code point and so by another rule than the program's own. At a terminal, pubctl's own colours and drawing are left out.
 */
export function foreignControls(text: string, isTerminal: boolean): string[] {
  const rest = isTerminal ? text.replace(ownColours, '').replace(ownDrawing, '') : text
  return [...rest].filter(each => isControl(each.codePointAt(0) as number)).map(each => JSON.stringify(each))
}

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x0a && code !== 0x09) ||
  (code >= 0x7f && code <= 0x9f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069) ||
  [0x061c, 0x200e, 0x200f].includes(code) ||
  (code >= 0xd800 && code <= 0xdfff)
