/**
 * Characters that a terminal may obey rather than show, or that reorder or hide the text around them: C0 (but for the
 * line feed), DEL, C1, bidirectional controls, zero-width and line-separating characters, tags, and lone surrogates.
 */
const basic =
  '\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb'
const unsafe = new RegExp(`[${basic}]|[\\u{e0000}-\\u{e007f}]|\\p{Surrogate}`, 'gu')
/** Finds out in a fraction of the time that there is no such character, as is nearly always so. */
const suspicious = new RegExp(`[${basic}\\ud800-\\udfff]`)

const asEscape = (character: string): string => {
  const code = character.codePointAt(0) as number
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Text that is safe on a terminal: every unsafe character is shown as its escape; line feeds stay. */
export const neutralise = (text: string): string =>
  suspicious.test(text) ? text.replace(unsafe, asEscape) : text

/** The same for text that must stay on one line: white space folds to single spaces. */
export const neutraliseLine = (text: string): string =>
  neutralise(text.replace(/\s+/g, blanks => (/[\t\n\r\v\f]/.test(blanks) ? ' ' : blanks)))

/** Serialised JSON that is safe on a terminal and still parses to the same value, also beyond the BMP. */
export const neutraliseJson = (json: string): string =>
  suspicious.test(json) ? json.replace(unsafe, asJsonEscape) : json

const asJsonEscape = (character: string): string =>
  character === '\t' || character === '\r'
    ? character
    : [...Array(character.length).keys()]
        .map(index => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join('')
