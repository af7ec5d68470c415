import { quotedText } from './book.ts'
import { hintOf } from './hints.ts'

/** Whether a text is a language tag (BCP 47): two or three letters and what follows, or an old or private one with i- or x-. */
export const isLanguageTag = (text: string): boolean =>
  /^(?:[A-Za-z]{2,3}(?:[-_][A-Za-z\d]{1,8})*|[iIxX](?:[-_][A-Za-z\d]{1,8})+)$/.test(text)

/** What is wrong with a language; undefined for one that is a language tag. */
export function languageFault(
  language: string,
): { code: 'language_invalid'; message: string; hint: string } | undefined {
  if (isLanguageTag(language)) return undefined
  const tag = tagOf(language)
  return {
    code: 'language_invalid',
    message: `The language ${quotedText(language)} is not a language tag such as en or pt-BR.`,
    hint: tag === undefined ? hintOf('language_invalid') : `Write ${tag}.`,
  }
}

/** The tag of a language that is given by its own name or by its English one. */
function tagOf(name: string): string | undefined {
  const wanted = name.toLowerCase()
  return common.find(tag =>
    [tag, 'en'].some(
      locale => new Intl.DisplayNames([locale], { type: 'language' }).of(tag)?.toLowerCase() === wanted,
    ),
  )
}

/** The languages of most books. */
const common =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro bg el ru uk tr ar he fa hi bn ja zh ko vi th id ca eu gl hr sr sl et lv lt is ga cy'.split(
    ' ',
  )
