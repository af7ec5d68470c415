import { wordKind } from './count-words.ts'

/** What the markup of pages is made of, as bytes of UTF-8. */
export const byteOf = {
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  bang: 0x21,
  quotationMark: 0x22,
  ampersand: 0x26,
  apostrophe: 0x27,
  hyphen: 0x2d,
  slash: 0x2f,
  semicolon: 0x3b,
  less: 0x3c,
  equals: 0x3d,
  more: 0x3e,
  rightBracket: 0x5d,
} as const

export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === byteOf.lineFeed || byte === byteOf.carriageReturn || byte === 0x09

/** What each byte is in a text: one of `wordKinds`, or one of these, which are greater. */
export const textKinds = { marks: 4, wide: 5, wrong: 6 } as const
export const textBytes: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === byteOf.less || byte === byteOf.ampersand || byte === byteOf.rightBracket)
    return textKinds.marks
  if (byte >= 0x80) return textKinds.wide
  return byte < 0x20 && !isSpace(byte) ? textKinds.wrong : wordKind(byte)
})

/** What each byte is in a name of ASCII: what it can begin with, what else can be in it, or 0. */
export const nameKinds = { start: 1, other: 2 } as const
export const nameBytes: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (/[A-Za-z_]/.test(character)) return nameKinds.start
  return /[\d.:-]/.test(character) ? nameKinds.other : 0
})

/** How many UTF-16 code units the character has that begins with a byte; none of a byte that is within one. */
export function codeUnitsOf(byte: number): number {
  if (byte < 0x80) return 1
  if (byte < 0xc0) return 0
  return byte < 0xf0 ? 1 : 2
}

/** The first UTF-16 code unit of the character of several bytes that begins at a place. */
export function codeUnitAt(page: Uint8Array, at: number): number {
  const [first, second] = [page[at] as number, page[at + 1] as number]
  if (first < 0xe0) return ((first & 0x1f) << 6) | (second & 0x3f)
  if (first < 0xf0) return ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | ((page[at + 2] as number) & 0x3f)
  return 0xd800
}
