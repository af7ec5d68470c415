import { bookExtensions } from '../system/book-extensions.ts'
import { UsageFailure } from '../system/errors.ts'

/** What a name of a file is made of. */
type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: Placeholder }

const placeholders = ['isbn', 'key', 'title'] as const
type Placeholder = (typeof placeholders)[number]

/** Values for the placeholders of a pattern. */
export type NameValues = { readonly [placeholder in Placeholder]?: string | undefined }

/** A pattern for names of files, such as `{isbn}*.epub|pdf|lpf`. */
export interface NamePattern {
  readonly parts: readonly Part[]
  /** In lower case, without the dot. */
  readonly extensions: readonly string[]
  readonly placeholders: readonly Placeholder[]
  /** How many folders above the file belong to the name. */
  readonly folders: number
}

/** How files are named where nothing else is said. */
export const defaultName = '{isbn}*.epub|pdf|lpf'

/** The most characters of a pattern, as many as a name of a file has. */
const longest = 255

/** Reads a pattern. Throws UsageFailure for one that names no placeholder or has something else in braces. */
export function parseNamePattern(text: string): NamePattern {
  if (text.length > longest) throw badPattern(`${text.slice(0, 50)}…`, `is longer than ${longest} characters`)
  const pattern = text.replaceAll('\\', '/').normalize('NFC')
  const name = pattern.slice(pattern.lastIndexOf('/') + 1)
  const [, extension] = /\.([a-zA-Z0-9|*]+)$/.exec(name) ?? []
  const stem = extension === undefined ? pattern : pattern.slice(0, -extension.length - 1)
  const parts = stem
    .split(/(\*+|\{[^{}]*\})/)
    .filter(Boolean)
    .map(each => partOf(each, text))
  const named = parts.flatMap(({ kind }) => placeholders.filter(each => each === kind))
  if (named.length === 0)
    throw badPattern(text, `has none of {isbn}, {key} and {title}, so that any file would be any book's`)
  const extensions = (extension ?? '*').toLowerCase().split('|').filter(Boolean)
  return {
    parts,
    extensions: extensions.includes('*') ? bookExtensions : extensions,
    placeholders: named,
    folders: pattern.split('/').length - 1,
  }
}

function partOf(text: string, pattern: string): Part {
  if (text.startsWith('*')) return { kind: 'any' }
  const named = placeholders.find(each => text.toLowerCase() === `{${each}}`)
  if (named !== undefined) return { kind: named }
  if (/[{}]/.test(text))
    throw badPattern(pattern, `has "${text}", which is not one of {isbn}, {key} and {title}`)
  return { kind: 'literal', text: text.toLowerCase() }
}

const badPattern = (pattern: string, says: string): UsageFailure =>
  new UsageFailure(`--name: the pattern "${pattern}" ${says}`, {
    hint: 'Write it as in "{isbn}*.epub|pdf|lpf": * is any text, | separates extensions.',
  })

/**
 * A text as it is compared in names of files: in lower case, with a single space for whatever is neither letter nor digit,
 * because many characters of titles cannot be in names.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')

/**
 * Whether a name, without its extension and in lower case, is that of a book with these values. Names and patterns are short,
 * and the time it takes grows with the square of the name's length times the length of the pattern, at most.
 */
export function matchesName(name: string, { parts }: NamePattern, values: NameValues): boolean {
  let reached = new Set([0])
  for (const [index, part] of parts.entries()) {
    const next = new Set<number>()
    if (part.kind === 'any') {
      const first = Math.min(...reached)
      const slash = name.indexOf('/', first)
      for (let at = first; at <= (slash < 0 ? name.length : slash); at++) next.add(at)
    } else {
      // Beside other text of any kind, a value is a word of its own: the key 12 is not in 123.
      const isFree = { before: parts[index - 1]?.kind === 'any', after: parts[index + 1]?.kind === 'any' }
      for (const at of reached) for (const end of endsOf(part, name, at, values, isFree)) next.add(end)
    }
    if (next.size === 0) return false
    reached = next
  }
  return reached.has(name.length)
}

interface Free {
  readonly before: boolean
  readonly after: boolean
}

/** Where a part of the pattern can end that begins at a place of the name. */
function endsOf(
  part: Exclude<Part, { kind: 'any' }>,
  name: string,
  at: number,
  values: NameValues,
  isFree: Free,
): readonly number[] {
  if (part.kind === 'literal') return name.startsWith(part.text, at) ? [at + part.text.length] : []
  const value = values[part.kind] ?? ''
  if (part.kind === 'isbn') return isbnEnds(name, at, value)
  const words = folded(value)
  if (words === '' || (isFree.before && isWithinWord(name, at))) return []
  return wordEnds(name, at, words).filter(end => !(isFree.after && isWithinWord(name, end)))
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character)

/** Whether a place has letters or digits on both sides. */
const isWithinWord = (name: string, at: number): boolean =>
  at > 0 && isWordCharacter(name[at - 1]) && isWordCharacter(name[at])

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)

/** An ISBN in a name may have hyphens and spaces between its digits, and no digits before and after them. */
function isbnEnds(name: string, at: number, isbn: string): readonly number[] {
  if (isbn === '' || isDigit(name[at - 1])) return []
  let end = at
  for (const digit of isbn) {
    while (end > at && /[- ]/.test(name[end] ?? '')) end += 1
    if (name[end] !== digit) return []
    end += 1
  }
  return isDigit(name[end]) ? [] : [end]
}

/** Words in a name may have any other characters before, between and after them. */
function wordEnds(name: string, at: number, words: string): readonly number[] {
  const otherFrom = (from: number): number => {
    let end = from
    while (end < name.length && name[end] !== '/' && !isWordCharacter(name[end])) end += 1
    return end
  }
  let end = otherFrom(at)
  for (const character of words) {
    if (character === ' ') {
      if (isWordCharacter(name[end])) return []
      end = otherFrom(end)
    } else if (name.startsWith(character, end)) end += character.length
    else return []
  }
  return Array.from({ length: otherFrom(end) - end + 1 }, (_, more) => end + more)
}
