/**
 * Characters that control a terminal, or that reorder or hide the text around them: C0 (except the line feed), DEL, C1,
 * bidirectional controls, zero-width characters, line separators, tags, and lone surrogates.
 */
const basic =
  '\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb'
const unsafe = new RegExp(`[${basic}]|[\\u{e0000}-\\u{e007f}]|\\p{Surrogate}`, 'gu')
/** A faster test, since text hardly ever contains such a character. */
const suspicious = new RegExp(`[${basic}\\ud800-\\udfff]`)

const asEscape = (character: string): string => {
  const code = character.codePointAt(0) as number
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Escapes the characters that are unsafe on a terminal, except line feeds. */
export const neutralise = (text: string): string =>
  suspicious.test(text) ? text.replace(unsafe, asEscape) : text

/** Escapes unsafe characters, and replaces line breaks and tabs by spaces, for text that must stay on one line. */
export const neutraliseLine = (text: string): string =>
  neutralise(
    hasLineBreak(text) ? text.replace(/\s+/g, blanks => (hasLineBreak(blanks) ? ' ' : blanks)) : text,
  )

const hasLineBreak = (text: string): boolean => /[\t\n\r\v\f]/.test(text)

/** Escapes unsafe characters in serialised JSON, which still parses to the same value. */
export const neutraliseJson = (json: string): string =>
  isHarmless(json) || !suspicious.test(json) ? json : json.replace(unsafe, asJsonEscape)

/** Whether JSON is ASCII without DEL, which has no unsafe characters: a test that takes a quarter of the time of the other one. */
const isHarmless = (json: string): boolean =>
  Buffer.byteLength(json) === json.length && !json.includes('\u007f')

const asJsonEscape = (character: string): string =>
  character === '\t' || character === '\r'
    ? character
    : [...Array(character.length).keys()]
        .map(index => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join('')
