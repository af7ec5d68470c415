import { join } from 'node:path'
import { folded, matchesName, type NamePattern, type NameValues } from '../../plan/name-pattern.ts'
import { addTo } from '../../system/add-to.ts'
import { UsageFailure } from '../../system/errors.ts'

/** A file in a folder. */
export interface BookFile {
  readonly folder: string
  readonly name: string
}

/** The most files that are found for one book; two are one too many already. */
const mostFound = 10

/**
 * Sorts files by what their names can mean, so that those of one book are found without going through all: by the ISBNs in
 * them, or else by their beginning or end. Throws UsageFailure for a pattern that is open on both sides.
 */
export function indexNames(
  files: readonly BookFile[],
  pattern: NamePattern,
): (values: NameValues) => string[] {
  const candidates = pattern.placeholders.includes('isbn') ? byIsbn(files, pattern) : byEdge(files, pattern)
  return values => {
    const found: string[] = []
    for (const file of candidates(values)) {
      if (found.length >= mostFound) break
      if (matchesName(stemOf(file, pattern), pattern, values)) found.push(join(file.folder, file.name))
    }
    return found.sort()
  }
}

type Candidates = (values: NameValues) => Iterable<BookFile>

/** A name in lower case without its extension, after as many folders as the pattern has. */
function stemOf({ folder, name }: BookFile, { folders }: NamePattern): string {
  const parents = folders === 0 ? [] : folder.split(/[\\/]/).slice(-folders)
  return [...parents, name.slice(0, name.lastIndexOf('.'))].join('/').normalize('NFC').toLowerCase()
}

function byIsbn(files: readonly BookFile[], pattern: NamePattern): Candidates {
  const index = new Map<string, BookFile[]>()
  for (const file of files) for (const isbn of isbnsIn(stemOf(file, pattern))) addTo(index, isbn, file)
  return ({ isbn = '' }) => index.get(isbn) ?? []
}

/** Everything in a name that may be an ISBN. */
const isbnsIn = (name: string): Set<string> =>
  new Set(
    [...name.matchAll(/(?=(97[89](?:[- ]*\d){10}))/g)].map(([, found = '']) => found.replace(/[- ]/g, '')),
  )

/** Compares as `sort` does, by code units, in which a space comes before letters and digits. */
function byEdge(files: readonly BookFile[], pattern: NamePattern): Candidates {
  const { parts } = pattern
  const [first, last] = [parts.findIndex(isAny), parts.findLastIndex(isAny)]
  const named = parts.findIndex(({ kind }) => kind === 'key' || kind === 'title')
  const isFromStart = first < 0 || named < first
  if (!isFromStart && parts.findLastIndex(({ kind }) => kind === 'key' || kind === 'title') < last) {
    throw new UsageFailure('--name: {key} and {title} cannot have a * on both sides', {
      hint: 'Write the pattern so that names begin or end with the key or the title, or use {isbn}.',
    })
  }
  const turned = isFromStart ? (text: string) => text : (text: string) => [...text].reverse().join('')
  const index = files
    .map(file => ({ file, name: turned(folded(stemOf(file, pattern))) }))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  const edge = first < 0 ? parts : isFromStart ? parts.slice(0, first) : parts.slice(last + 1)
  return function* (values) {
    const text = edge.map(part =>
      part.kind === 'literal' ? part.text : (part.kind !== 'any' && values[part.kind]) || '',
    )
    const wanted = turned(folded(text.join('')))
    // Beside any other text, a value is a word of its own.
    const isWord = !isWordLiteral(isFromStart ? edge.at(-1) : edge[0], isFromStart)
    for (let at = firstFrom(index, wanted); at < index.length; at++) {
      const { name, file } = index[at] as (typeof index)[number]
      const isNear = name === wanted || (first >= 0 && name.startsWith(isWord ? `${wanted} ` : wanted))
      if (!isNear) break
      yield file
    }
  }
}

/** Whether a part is a text that may go on as a word at its end, or at its beginning. */
const isWordLiteral = (part: NamePattern['parts'][number] | undefined, atEnd: boolean): boolean =>
  part?.kind === 'literal' && (atEnd ? /[\p{L}\p{M}\p{N}]$/u : /^[\p{L}\p{M}\p{N}]/u).test(part.text)

const isAny = ({ kind }: { kind: string }): boolean => kind === 'any'

/** The place of the first name in a sorted list that is not below a text. */
function firstFrom(index: readonly { readonly name: string }[], wanted: string): number {
  let [low, high] = [0, index.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((index[middle]?.name ?? '') < wanted) low = middle + 1
    else high = middle
  }
  return low
}
