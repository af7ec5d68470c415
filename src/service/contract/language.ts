export const languages = ['English', 'French', 'German', 'Italian', 'Spanish'] as const

const names: Readonly<Record<string, (typeof languages)[number]>> = {
  en: 'English',
  eng: 'English',
  fr: 'French',
  fra: 'French',
  fre: 'French',
  de: 'German',
  deu: 'German',
  ger: 'German',
  it: 'Italian',
  ita: 'Italian',
  es: 'Spanish',
  spa: 'Spanish',
}

/** A language tag in the service's own words: `en-GB` is `English`; a language it has no name for stays as it is. */
export function languageName(tag: string): string {
  const byName = languages.find(language => language.toLowerCase() === tag.toLowerCase())
  const primary = tag.toLowerCase().split(/[-_]/)[0] ?? ''
  return byName ?? (Object.hasOwn(names, primary) ? (names[primary] as string) : tag)
}
