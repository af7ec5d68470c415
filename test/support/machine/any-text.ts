import fc from 'fast-check'

/** How many halves of characters there are, which are no characters. */
const halves = 0x800

/** Texts of any characters. The arbitrary of fast-check for them takes a second of the processor before it begins. */
export const anyText = fc.string({
  unit: fc
    .integer({ min: 0, max: 0x10ffff - halves })
    .map(code => String.fromCodePoint(code < 0xd800 ? code : code + halves)),
})
