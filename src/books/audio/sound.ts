/** What a sound file says of itself. Fields are absent if it does not give them. */
export interface SoundTags {
  title?: string
  /** The book that it is a part of. */
  album?: string
  authors?: readonly string[]
  narrators?: readonly string[]
  publisher?: string
  /** Four digits. */
  year?: string
  /** A language tag. */
  language?: string
  /** As it is written, not checked. */
  isbn?: string
  description?: string
  disc?: number
  track?: number
  /** An image as it is embedded. */
  cover?: Buffer
}

export interface SoundChapter {
  readonly title: string
  /** In seconds from the beginning of the file. */
  readonly start: number
}

export interface Sound {
  readonly mediaType: 'audio/mpeg' | 'audio/mp4'
  /** The playing time in seconds. */
  readonly duration: number
  readonly tags: SoundTags
  readonly chapters: readonly SoundChapter[]
}

/** The most chapters that are read of a file. */
export const chapterLimit = 10_000

/** A text of a tag in one line, without what nobody sees; undefined if nothing is left. */
export function tagText(text: string): string | undefined {
  const clean = text
    .slice(0, 100_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return clean === '' ? undefined : clean
}

/** The number that a tag such as `3/12` begins with. */
export function tagNumber(text: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,6})/.exec(text ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The tag of a language that is written as three letters, such as `deu`; undefined for none and for several. */
export function tagLanguage(code: string | undefined): string | undefined {
  const letters = code?.trim().toLowerCase() ?? ''
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/.test(letters) || ['und', 'mul', 'zxx', 'xxx'].includes(letters))
    return undefined
  return Intl.getCanonicalLocales(letters)[0]
}

/** The year of a date. */
export const tagYear = (text: string | undefined): string | undefined => /\b\d{4}\b/.exec(text ?? '')?.[0]

/** Names that stand in one tag. A comma may be part of a name, such as "Verne, Jules". */
export const tagNames = (text: string | undefined): string[] =>
  (text ?? '').split(/[;/\0]/).flatMap(name => tagText(name) ?? [])
