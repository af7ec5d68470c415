import type { Figure } from './figure.ts'
import type { Ink } from './ink.ts'

/** The figures from zero to the largest of them, `cells` cells each. A missing one stays blank. */
export function sparkline(
  figures: readonly Pick<Figure, 'amount'>[],
  cells: number,
  { glyphs }: Ink,
): string {
  const { levels } = glyphs
  const most = Math.max(0, ...figures.map(({ amount }) => amount ?? 0))
  return figures
    .map(({ amount }) => {
      if (amount === undefined) return ' '
      const level = most === 0 ? 0 : Math.ceil((amount / most) * levels.length) - 1
      return levels[Math.max(0, level)] as string
    })
    .map(level => level.repeat(cells))
    .join('')
}
