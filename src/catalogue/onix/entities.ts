import { predefinedEntities } from '../../books/entities.ts'
import { XmlFault } from './bad-message.ts'

/** HTML's names of the characters from U+00A0 to U+00FF, in their order. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
  'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml ' +
  'Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** The named entities of HTML that texts about books use. */
const html = new Map<string, string>([
  ...Object.entries(predefinedEntities),
  ...latin1.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...Object.entries({
    ...{ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', fnof: 'ƒ', circ: 'ˆ', tilde: '˜' },
    ...{ ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', zwnj: '\u200c', zwj: '\u200d' },
    ...{ lrm: '\u200e', rlm: '\u200f', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚' },
    ...{ ldquo: '“', rdquo: '”', bdquo: '„', dagger: '†', Dagger: '‡', bull: '•', hellip: '…' },
    ...{ permil: '‰', prime: '′', Prime: '″', lsaquo: '‹', rsaquo: '›', euro: '€', trade: '™', minus: '−' },
  }),
])

/** The character of an HTML entity, such as `eacute` or `#233`; undefined if there is none. */
export function htmlEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return html.get(name)
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}

/**
 * The entities that a message may use. Its own declarations are not read, and no DTD is fetched; where it has a document type,
 * the names of HTML have the meaning that the ONIX DTDs gave them. Any other throws XmlFault.
 */
export const entitiesOf = (documentType: () => string): Record<string, string> =>
  new Proxy(predefinedEntities, {
    get(_, name) {
      const entity = String(name)
      if (Object.hasOwn(predefinedEntities, entity))
        return predefinedEntities[entity as keyof typeof predefinedEntities]
      const character = documentType() === '' ? undefined : html.get(entity)
      if (character !== undefined) return character
      if (!/^[a-zA-Z][\w.-]*$/.test(entity))
        throw new XmlFault('it has a & that begins no entity', {
          hint: 'Write &amp; where the character itself is meant.',
          linesBack: entity.split('\n').length - 1,
        })
      throw new XmlFault(`it uses the entity &${entity.slice(0, 50)};, which is none of XML`, {
        hint: 'Write the character itself or its number, such as &#233;. Entities that a message declares are not expanded.',
      })
    },
  })
