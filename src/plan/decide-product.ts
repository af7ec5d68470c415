import { isNewUpload } from './actions.ts'
import { decideContent } from './decide-content.ts'
import { failedBefore } from './failed-before.ts'
import type { Known } from './known.ts'
import { isUnsure, keyAt, type MatchedBy, matchProduct, type ProductMatch } from './match-product.ts'
import { isOtherBook, otherBook } from './other-book.ts'
import { createStep, type ProductStep, type Step } from './step.ts'
import { keyName, placeOf, type WantedProduct } from './wanted.ts'

/**
 * Decides what to do with a product of a catalogue. It is identified by the publication that a sheet names, or by its key,
 * or by its content. A publication of the same title without a key is neither taken for it nor for another book, and neither
 * is one that has its file and another key.
 */
export function decideProduct(wanted: WantedProduct, known: Known, begun: Step | null): ProductStep {
  const step = decideFound(wanted, known, begun)
  if (isNewUpload(step) && !wanted.row.isNew && isOtherBook(wanted)) return otherBook(wanted, '--new', step)
  if (!isNewUpload(step) || known.failed === null) return step
  const hint = 'Change the file, or send it as it is with "pubctl publications upload --again".'
  return { ...failedBefore(known.failed), hint }
}

function decideFound(wanted: WantedProduct, known: Known, begun: Step | null): ProductStep {
  const { row, file, type } = wanted
  if (row.ignored !== null) return nothing('ignored', row.ignored)
  if (known.sameKey.length > 0) return sameBook(wanted, known.sameKey, row.keyField)
  const { by, matches } = matchProduct(wanted, known.publications ?? [])
  if (row.publicationId !== null && matches.length === 0) {
    return conflict(
      `there is no publication ${row.publicationId} at the service`,
      `Correct its publicationId, or leave it out to have it looked up by its ${keyName(row.keyField)}.`,
    )
  }
  if (row.withdrawn !== null) return decideWithdrawn(row.withdrawn, isUnsure(by) ? [] : matches, known)
  if (row.files.length > 1) {
    const hint = 'Leave one of them, or name the file in the sheet or message.'
    return conflict(`${listed(row.files)} are files of it`, hint, matches)
  }
  if (row.fileError !== null) return nothing('broken', row.fileError, matches)
  if (file !== null && row.type !== null && type !== null && row.type !== type) {
    return conflict(
      `the sheet or message says that it is of type ${row.type}, and ${file} is of type ${type}`,
      'Correct the sheet or message, or give it the right file.',
      matches,
    )
  }
  if (begun && file !== null) return begun
  if (isUnsure(by) && (matches.length === 0 || row.isNew)) return decideNew(wanted, known)
  if (by === 'other key') return ofOtherKey(wanted, matches)
  if (by === 'title') return namesakes(wanted, matches)
  const [match, ...more] = matches as [ProductMatch, ...ProductMatch[]]
  return more.length === 0
    ? decideContent(wanted, match, by, known.accepted ?? [])
    : ambiguous(wanted, by, matches)
}

function decideNew({ row, file }: WantedProduct, known: Known): ProductStep {
  if (row.isPartial)
    return nothing('ignored', `its record is a partial update (04), and the book is ${notThere(known)}`)
  if (file === null) {
    const why = row.key === null ? `it has no ${keyName(row.keyField)}` : `it is ${notThere(known)}`
    return nothing('no-file', `${why}, and there is no file of it`)
  }
  const looked = row.key === null ? 'its content or its title' : keyText(row, row.key)
  return createStep(`nothing at the service has ${looked}`)
}

const notThere = ({ isAllRead }: Known): string =>
  isAllRead ? 'not at the service' : 'not at the service as far as that has been read'

/** The key of a book in words: `the ISBN 978…`. */
const keyText = ({ keyField }: { readonly keyField: string }, key: string | null | undefined): string =>
  `the ${keyName(keyField)} ${key}`

function decideWithdrawn(reason: string, matches: readonly ProductMatch[], known: Known): ProductStep {
  if (matches.length === 0) return nothing('ignored', `${reason}, and it is ${notThere(known)}`)
  const are = matches.length === 1 ? 'is' : 'are'
  const why = `${reason}, and ${listed(idsOf(matches))} ${are} at the service; a plan deletes nothing`
  return nothing('withdrawn', why, matches)
}

/** How a source says which publication a book is. ONIX has no place for it. */
const howToName = ({ keyField }: WantedProduct['row']): string =>
  `name the publication in a column publicationId (beside ONIX, in a sheet of ${keyField === 'isbn' ? 'isbn' : 'key'} and publicationId)`

function namesakes({ row }: WantedProduct, matches: readonly ProductMatch[]): ProductStep {
  const have = matches.length === 1 ? 'has' : 'have'
  return conflict(
    `${listed(idsOf(matches))} ${have} its title and no ${keyName(row.keyField)}, and may be the same book`,
    `If it is, ${howToName(row)}; with --new it becomes a publication of its own.`,
    matches,
  )
}

/** The file is there with another key: either the key of the book was changed, or two books have one file. */
function ofOtherKey(wanted: WantedProduct, matches: readonly ProductMatch[]): ProductStep {
  const [match] = matches as [ProductMatch]
  const isSame = match.content === 'same'
  const file = isSame ? 'the same file' : 'a file of its title and size'
  const key = keyText(wanted.row, keyAt(wanted, match))
  const more = matches.length === 1 ? '' : `, and as ${listed(idsOf(matches.slice(1)))}`
  return {
    ...conflict(
      `${file} is at the service as ${match.publication.publicationId} with ${key}${more}`,
      `If it is the same book, ${howToName(wanted.row)}; with --new it becomes a publication of its own.`,
      matches,
    ),
    ...(!isSame && { proof: 'unproven' }),
  }
}

function ambiguous({ row }: WantedProduct, by: MatchedBy, matches: readonly ProductMatch[]): ProductStep {
  const shared = by === 'key' ? keyText(row, row.key) : 'its content'
  const hint = `To say which one is meant, ${howToName(row)}.`
  return conflict(`${listed(idsOf(matches))} have ${shared}`, hint, matches)
}

/** The step of a row that means the same book as others; `others` are their places. */
export function sameBook(
  { key, from }: Pick<WantedProduct, 'key' | 'from'>,
  others: readonly string[],
  keyField: string,
): Extract<ProductStep, { action: 'conflict' }> {
  const isKeyed = key !== null && !key.startsWith('sha256:')
  const shared = isKeyed ? `have ${keyText({ keyField }, key)}` : 'mean the same book'
  return {
    action: 'conflict',
    why: `${listed([placeOf(from), ...others])} ${shared}`,
    hint: 'Leave one of them, or tell them apart in a column publicationId.',
    publicationId: null,
    editionId: null,
  }
}

const nothing = (
  action: 'no-file' | 'ignored' | 'withdrawn' | 'broken',
  why: string,
  matches: readonly ProductMatch[] = [],
): ProductStep => ({ action, why, ...factsOf(matches) })

const conflict = (why: string, hint: string, matches: readonly ProductMatch[] = []) => ({
  ...{ action: 'conflict' as const, why, hint, ...factsOf(matches) },
})

const factsOf = ([match]: readonly ProductMatch[]) => ({
  publicationId: match?.publication.publicationId ?? null,
  editionId: match?.edition?.editionId ?? null,
})

const idsOf = (matches: readonly ProductMatch[]): string[] =>
  matches.map(({ publication }) => publication.publicationId)

/** At most five names, so that a message stays readable. */
function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : [...names]
  const last = shown.pop()
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} and ${last}`
}
