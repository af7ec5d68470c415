import { isIsbn } from '../isbn.ts'
import type { PageMark } from '../marks.ts'

/** What rules ask of a text of a page. */
export function textMarks(text: string): PageMark[] {
  return (Object.entries(patterns) as [PageMark, RegExp][])
    .flatMap(([mark, pattern]) => (pattern.test(text) ? [mark] : []))
    .concat(isCapital(text) ? ['capitals'] : [], hasIsbn(text) ? ['isbn'] : [])
}

/** Whether a text names how long something takes. */
export const namesDuration = (text: string): boolean =>
  /\d{1,2}:\d\d\b|\d\s?(?:min|sec|minutes?|seconds?|sekunden|secondes)\b/i.test(text)

const patterns: { readonly [mark in PageMark]?: RegExp } = {
  icon: /[\uE000-\uF8FF]/,
  copyright: /©|\bcopyright\b|tous droits|alle rechte|all rights|derechos reservados/i,
  version: /\b(?:version|edition|édition|ausgabe|auflage)\b/i,
  transcript: /\btrans[ck]ript/i,
  'short-date': /\b\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})\b/,
}

const isCapital = (text: string): boolean =>
  !/\p{Ll}/u.test(text) && text.split(/\s/).filter(word => /^\p{Lu}{2}/u.test(word)).length >= 4

const hasIsbn = (text: string): boolean =>
  [...text.matchAll(/97[89](?:[- \u2010\u2011]?\d){10}(?!\d)/g)].some(([digits]) =>
    isIsbn(digits.replace(/\D/g, '')),
  )
