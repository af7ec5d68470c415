/** The most of a document type that is read, in characters. */
const limit = 10_000

/** The longest text of an entity, in characters. */
const longest = 1000

/** The entities that every XML document has without declaring them. */
export const predefinedEntities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * The texts of the entities that a document type declares, by name. Those that hold markup, lie in another file, lead back to
 * themselves or are longer than 1,000 characters once others are put into them are not among them.
 */
export function declaredEntities(doctype: string): Map<string, string> {
  const declared = new Map<string, string>()
  for (const [, name = '', double, single] of doctype.slice(0, limit).matchAll(declaration)) {
    // The first declaration of a name counts. A character's number is read there, and other entities where it is used.
    if (!declared.has(name)) declared.set(name, (double ?? single ?? '').replace(character, characterOf))
  }
  const texts = new Map<string, string | undefined>(Object.entries(predefinedEntities))
  const textOf = (name: string): string | undefined => {
    if (texts.has(name)) return texts.get(name)
    // Whoever comes here again meanwhile came from itself.
    texts.set(name, undefined)
    const replacement = declared.get(name)
    if (replacement === undefined || /[%<]/.test(replacement)) return undefined
    let isText = true
    const text = replacement.replace(reference, (written, named?: string) => {
      const inner = named === undefined ? undefined : (textOf(named) ?? numbered(written))
      if (inner === undefined) isText = false
      return inner ?? ''
    })
    if (isText && text.length <= longest) texts.set(name, text)
    return texts.get(name)
  }
  const found = new Map<string, string>()
  for (const name of declared.keys()) {
    const text = textOf(name)
    if (text !== undefined) found.set(name, text)
  }
  return found
}

const declaration =
  /<!ENTITY\s{1,20}([\p{L}_][\p{L}\p{N}._-]{0,100})\s{1,20}(?:"([^"]{0,1000})"|'([^']{0,1000})')\s{0,20}>/gu

const reference = /&(?:([^\s&;]{1,101});)?/g

const character = /&#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}));/g

function numbered(written: string): string | undefined {
  const text = written.replace(character, characterOf)
  return text === written ? undefined : text
}

function characterOf(written: string, hexadecimal?: string, decimal?: string): string {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written
}
