/** The most of a document type that is read, in characters. */
const limit = 10_000

/** The longest text of an entity, in characters. */
const longest = 1000

/** The entities that every XML document has without declaring them. */
export const predefinedEntities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The character that a reference is to, by what stands between its signs; undefined if it is none of XML's own. */
export function referencedCharacter(reference: string): string | undefined {
  if (Object.hasOwn(predefinedEntities, reference))
    return predefinedEntities[reference as keyof typeof predefinedEntities]
  const [, hexadecimal, decimal] = /^#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}))$/.exec(reference) ?? []
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  const isCharacter =
    [0x09, 0x0a, 0x0d].includes(code) ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}

/**
 * The texts of the entities that a document type declares, by name. Those that hold markup, lie in another file, lead back to
 * themselves or are longer than 1,000 characters once others are put into them are not among them.
 */
export function declaredEntities(doctype: string): Map<string, string> {
  // Made here, since most books declare none and Unicode's tables take 0.2 ms.
  const declaration =
    /<!ENTITY\s{1,20}([\p{L}_][\p{L}\p{N}._-]{0,100})\s{1,20}(?:"([^"]{0,1000})"|'([^']{0,1000})')\s{0,20}>/gu
  const declared = new Map<string, string>()
  for (const [, name = '', double, single] of doctype.slice(0, limit).matchAll(declaration)) {
    // The first declaration of a name counts. A character's number is read there, and other entities where it is used.
    if (!declared.has(name)) declared.set(name, (double ?? single ?? '').replace(numbered, characterOf))
  }
  const texts = new Map<string, string | undefined>()
  const textOf = (name: string): string | undefined => {
    if (texts.has(name)) return texts.get(name)
    // Whoever comes here again meanwhile came from itself.
    texts.set(name, undefined)
    const replacement = declared.get(name)
    if (replacement === undefined || /[%<]/.test(replacement)) return undefined
    let isText = true
    const text = replacement.replace(reference, (_, named = '') => {
      const inner = referencedCharacter(named) ?? textOf(named)
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

const reference = /&(?:([^\s&;]{1,101});)?/g

const numbered = /&(#[^\s&;]{1,8});/g

const characterOf = (written: string, number: string): string => referencedCharacter(number) ?? written
