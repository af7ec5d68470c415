import { quotedText } from '../book.ts'
import type { Position } from '../position.ts'
import { type Problems, problemsIn } from '../problems.ts'

interface From {
  path: string
  href: string
  at: Position
  /** Whether a reader can go there. */
  isLink: boolean
}

/** The places of a book's pages that its references lead to. */
export interface Fragments {
  /** Notes that a reference leads to an id of an entry. */
  want(target: string, id: string, from: From): void
  /** Notes the ids of an entry that was read whole, with those at which nothing is shown. */
  have(target: string, ids: ReadonlyMap<string, number>, unshown: ReadonlySet<string>): void
  /** The ids of each entry, with the number of its element. */
  readonly ids: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Adds the references that lead to ids that are not there. */
  check(problems: Problems): void
}

/** How many are kept of a book: ten times what a long one has. */
const limits = { ids: 250_000, wanted: 100_000 }

export function createFragments(): Fragments {
  const ids = new Map<string, ReadonlyMap<string, number>>()
  const unshown = new Map<string, ReadonlySet<string>>()
  const wanted = new Map<string, Map<string, From>>()
  const counts = { ids: 0, wanted: 0 }
  let isCut = false
  let firstPath: string | undefined
  return {
    ids,
    want(target, id, from) {
      firstPath ??= from.path
      const known = wanted.get(target) ?? new Map<string, From>()
      wanted.set(target, known)
      if (known.has(id) && !(from.isLink && !known.get(id)?.isLink)) return
      counts.wanted += 1
      if (counts.wanted > limits.wanted) isCut = true
      else known.set(copyOf(id), { ...from, href: copyOf(from.href) })
    },
    have(target, found, hidden) {
      counts.ids += found.size
      if (counts.ids > limits.ids) {
        isCut = true
        return
      }
      ids.set(target, new Map([...found].map(([id, position]) => [copyOf(id), position])))
      if (hidden.size > 0) unshown.set(target, new Set([...hidden].map(copyOf)))
    },
    check(problems) {
      if (isCut && firstPath !== undefined) {
        const message =
          'Not every link to an id of this and other pages is looked at, since there are so many.'
        problemsIn(problems, firstPath)('warning', 'not_examined', message)
      }
      for (const [target, places] of wanted) {
        const known = ids.get(target)
        for (const [id, { path, href, at, isLink }] of known ? places : []) {
          const add = problemsIn(problems, path)
          if (!known?.has(id)) {
            const message = `${quotedText(href)} leads to an id that its page does not have.`
            add('warning', 'reference_missing', message, at)
          } else if (isLink && unshown.get(target)?.has(id)) {
            add(
              'warning',
              'reference_unfit',
              `${quotedText(href)} leads to a part of a drawing that is not shown.`,
              at,
            )
          }
        }
      }
    },
  }
}

/** A text that does not keep the document in memory that it was cut from; short texts never do. */
const copyOf = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString())
