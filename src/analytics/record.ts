import type { Context } from '../cli/context.ts'
import { columnsFor, type View } from '../cli/output/view.ts'
import { drawsChart } from './chart-flags.ts'
import { type Drawing, draw } from './draw.ts'

/**
 * Checks the options, reads an answer, and prints it: as a card with a picture below it, or in the format that is asked for.
 */
export async function showRecord<T>(
  context: Context,
  view: View,
  isWanted: boolean | undefined,
  read: () => Promise<{
    readonly value: { readonly item: T | null }
    readonly raw: { readonly item?: unknown }
  }>,
  loadPicture: () => Promise<(item: T, drawing: Drawing) => readonly string[]>,
): Promise<void> {
  const isDrawn = drawsChart(context, isWanted)
  await context.check(view)
  const {
    raw,
    value: { item },
  } = await read()
  if (!isDrawn) return await context.item(view, raw.item)
  const { printCard } = await import('../cli/output/table.ts')
  await printCard(context.out, columnsFor(view, { format: 'table' }, true), raw.item)
  if (item === null) return
  const picture = await loadPicture()
  await draw(context, drawing => {
    const lines = picture(item, drawing)
    return lines.length > 0 ? ['', ...lines] : []
  })
}
