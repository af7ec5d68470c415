import type { Context } from '../cli/context.ts'
import { type CheckedBy, checkedByText, checkersSentence, isOutdated } from '../system/checked-by.ts'
import type { World } from '../system/world.ts'

/** A book, and who else has checked it. */
interface Checked {
  readonly checkedBy?: readonly CheckedBy[] | undefined
}

/** Says who else has checked some books, if anybody has. */
export async function tellCheckers(context: Context, books: readonly Checked[]): Promise<void> {
  for (const sentence of checkersSentence(books)) await context.note(sentence)
  await warnOfOutdated(context, books)
}

/** The runs in which it was said. */
const warned = new WeakSet<World>()

/** Warns once a run of a checker that is too old to have the last word. */
export async function warnOfOutdated(context: Context, books: readonly Checked[]): Promise<void> {
  const outdated = books.flatMap(({ checkedBy = [] }) => checkedBy).find(isOutdated)
  if (outdated === undefined || warned.has(context.world)) return
  warned.add(context.world)
  await context.warn({
    code: 'checker_outdated',
    message: `the books were checked by ${checkedByText(outdated)}, which does not know EPUB 3.3 and later`,
    hint: 'Install version 5 or later in its place.',
  })
}
