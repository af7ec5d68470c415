import { neutralise } from '../cli/output/neutralise.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Escapes text for XML and HTML, within elements and within quoted attributes. Characters that control a terminal or reorder
 * text are shown as escapes, and those that XML 1.0 does not have are replaced.
 */
export const escapeMarkup = (text: string): string =>
  neutralise(text.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))
    .replace(/[&<>"']/g, character => entities[character] as string)
    .replace(/[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
