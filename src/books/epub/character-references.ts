import { byteOf } from './markup-bytes.ts'

/** The most that stands between the signs of a reference, such as `&#1114111;`. */
const room = 9

/** The characters that XML has names for. */
const namedCodes: ReadonlyMap<string, number> = new Map([
  ['amp', 0x26],
  ['apos', 0x27],
  ['gt', 0x3e],
  ['lt', 0x3c],
  ['quot', 0x22],
])

/** The character that a reference in the bytes of a page is to, and where that ends; undefined if it is none of XML's own. */
export function referenceAt(page: Buffer, begins: number): { code: number; end: number } | undefined {
  let end = begins + 1
  while (page[end] !== byteOf.semicolon) {
    end += 1
    if (end > begins + 1 + room) return undefined
  }
  const code = codeOf(page.toString('latin1', begins + 1, end))
  return code === undefined ? undefined : { code, end: end + 1 }
}

/** The value of an attribute as it is read, by the text that is written. All references in it are to characters. */
export const readValue = (written: string): string =>
  written.replace(/&([^&;]{1,9});|\r\n?|[\t\n]/g, (_, reference?: string) =>
    reference === undefined ? ' ' : String.fromCodePoint(codeOf(reference) ?? 0xfffd),
  )

/** The character that is named between the signs of a reference. */
function codeOf(reference: string): number | undefined {
  const named = namedCodes.get(reference)
  if (named !== undefined) return named
  const [, hexadecimal, decimal] = /^#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}))$/.exec(reference) ?? []
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  const isCharacter =
    [0x09, 0x0a, 0x0d].includes(code) ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff)
  return isCharacter ? code : undefined
}
