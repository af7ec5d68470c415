import type { Context } from '../cli/context.ts'
import { columnsFor, type View } from '../cli/output/view.ts'
import { drawsChart } from './chart-flags.ts'
import { type Drawing, draw } from './draw.ts'

/**
 * Checks the options, reads an answer, and prints it: as a card with a picture below it, or in the format that is asked for.
 */
export async function showRecord(
  context: Context,
  view: View,
  isWanted: boolean | undefined,
  read: () => Promise<unknown>,
  loadPicture: () => Promise<(item: unknown, drawing: Drawing) => readonly string[]>,
): Promise<void> {
  const isDrawn = drawsChart(context, isWanted)
  await context.check(view)
  const item = await read()
  if (!isDrawn) return await context.item(view, item)
  const { printCard } = await import('../cli/output/table.ts')
  const picture = await loadPicture()
  await printCard(context.out, columnsFor(view, { format: 'table' }, true), item)
  await draw(context, drawing => {
    const lines = picture(item, drawing)
    return lines.length > 0 ? ['', ...lines] : []
  })
}
