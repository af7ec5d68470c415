import fc from 'fast-check'

/** How many halves of characters there are, which are no characters. */
const halves = 0x800

/** Any character. The arbitrary of fast-check for texts of them takes a second of the processor before it begins. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - halves })
  .map(code => String.fromCodePoint(code < 0xd800 ? code : code + halves))

/** Texts of any characters. */
export const anyText = fc.string({ unit: anyCharacter })
