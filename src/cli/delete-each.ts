import type { Endpoint } from '../service/contract/endpoint.ts'
import { Failure, UsageFailure } from '../system/errors.ts'
import type { Context } from './context.ts'
import { forEach } from './for-each.ts'
import { plain } from './output/cell.ts'
import type { View } from './output/view.ts'

interface Deletion {
  /** What one item is called: "domain". */
  readonly noun: string
  readonly endpoint: Endpoint
  readonly view: View
  /** The title, name or domain to show for an id. Throws when there is no item of that id. */
  readonly nameOf?: (id: string) => Promise<string | null | undefined>
  /** Whether the user must type the item's name instead of "yes". */
  readonly isTyped?: boolean
  /** Runs before each deletion. */
  readonly before?: (id: string) => Promise<void>
  /** Replaces a failure to delete by one that explains it better. */
  readonly explain?: (id: string, failure: Failure) => Promise<Failure>
}

/** Lists what will be deleted, asks unless `--yes` is given, and deletes each id. */
export async function deleteEach(
  context: Context,
  ids: readonly string[],
  deletion: Deletion,
): Promise<void> {
  const { endpoint, view, before, explain } = deletion
  await context.check(view)
  if (!context.options.yes && !context.options.dryRun)
    await confirmDeletion(context, [...new Set(ids)], deletion)
  await forEach(context, view, ids, async id => {
    try {
      await before?.(id)
      const reply = await context.change(endpoint, { id })
      return reply && (reply.raw['item'] ?? { id })
    } catch (error) {
      throw explain && error instanceof Failure ? await explain(id, error) : error
    }
  })
}

async function confirmDeletion(
  context: Context,
  ids: readonly string[],
  { noun, nameOf, isTyped }: Deletion,
): Promise<void> {
  const { ask } = context
  if (!ask.isPossible) await ask.confirm(`Delete ${counted(ids, noun)}?`, '--yes')
  const names: string[] = []
  for (const id of ids) names.push(plain(await nameOf?.(id)) || id)
  for (const [index, id] of ids.entries())
    await context.note(`  ${id}${names[index] === id ? '' : `  ${names[index]}`}`)
  const [name = ''] = names
  if (isTyped) {
    const expected = ids.length === 1 ? name : counted(ids, noun)
    const typed = await ask.text(`This cannot be undone. To delete, type "${expected}"`, '--yes')
    if (typed.trim() === expected.trim()) return
    throw new UsageFailure('what you typed does not match, so nothing was deleted', {
      code: 'not_confirmed',
    })
  }
  if (!(await ask.confirm(`Delete ${counted(ids, noun)}?`, '--yes'))) {
    throw new UsageFailure('nothing was deleted', { code: 'not_confirmed' })
  }
}

const counted = (ids: readonly string[], noun: string): string =>
  ids.length === 1 ? `this ${noun}` : `${ids.length} ${noun}s`
