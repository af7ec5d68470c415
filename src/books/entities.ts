/** The most of a document type that is read, in characters. */
const limit = 10_000

/**
 * The entities that a document type declares as plain texts, by name. Those that hold markup or other entities, or lie in
 * another file, are not among them.
 */
export function declaredEntities(doctype: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of doctype.slice(0, limit).matchAll(declaration)) {
    const text = (double ?? single ?? '').replace(reference, characterOf)
    // The first declaration of a name counts.
    if (!/[&%<]/.test(text) && !found.has(name)) found.set(name, text)
  }
  return found
}

const declaration =
  /<!ENTITY\s{1,20}([\p{L}_][\p{L}\p{N}._-]{0,100})\s{1,20}(?:"([^"]{0,1000})"|'([^']{0,1000})')\s{0,20}>/gu

const reference = /&#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}));/g

function characterOf(written: string, hexadecimal?: string, decimal?: string): string {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written
}
