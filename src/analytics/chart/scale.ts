import { type CellKind, human } from '../../cli/output/cell.ts'
import type { Ink } from './ink.ts'

/** An axis from zero to the largest figure, with ticks at round numbers. */
export interface Scale {
  readonly top: number
  readonly ticks: readonly number[]
}

/** What lies between two ticks is one of these, times a power of ten. */
const roundSteps = [1, 2, 5]
const mostTicks = 10

/**
 * A scale from zero to `most` in `width` cells, with as many ticks as have room for their labels. Whole numbers (`isWhole`)
 * have no ticks between them.
 */
export function scaleOf(most: number, width: number, kind: CellKind, isWhole: boolean): Scale {
  const top = most > 0 ? most : 1
  let ticks = [0]
  for (let power = Math.floor(Math.log10(top)) - 1; ; power++) {
    for (const part of roundSteps) {
      // A negative power of ten is not exact, and its inverse is.
      const step = power < 0 ? part / 10 ** -power : part * 10 ** power
      if (isWhole && step < 1) continue
      const count = Math.floor(top / step + 1e-9)
      if (count === 0) return { top, ticks }
      ticks = Array.from({ length: count + 1 }, (_, index) => (step * count * index) / count)
      // The last label may have to end where the axis ends, and so comes closer to the one before.
      const isRoomy = (step / top) * width >= 1.5 * human(step * count, kind).length + 1
      if (isRoomy && count <= mostTicks) return { top, ticks }
    }
  }
}

/** The two lines below bars of a width: the axis with its ticks, and their labels. */
export function axisLines(scale: Scale, width: number, kind: CellKind, { glyphs }: Ink): [string, string] {
  const line = [glyphs.corner, ...glyphs.line.repeat(width)]
  const labels = Array.from({ length: width + 1 }, () => ' ')
  let free = 0
  for (const tick of scale.ticks) {
    const column = Math.round((tick / scale.top) * width)
    if (tick > 0) line[column] = glyphs.tick
    const label = human(tick, kind)
    const start = Math.max(0, Math.min(column - Math.floor(label.length / 2), width + 1 - label.length))
    if (start < free || start + label.length > width + 1) continue
    labels.splice(start, label.length, ...label)
    free = start + label.length + 1
  }
  return [line.join(''), labels.join('').trimEnd()]
}

/**
 * A bar of a length in cells, in steps of an eighth of a cell where the terminal can show them. There, anything above zero
 * can be seen.
 */
export function bar(length: number, isRunning: boolean, { glyphs }: Ink): string {
  if (isRunning) return glyphs.running.repeat(Math.round(length))
  const steps = glyphs.parts.length
  const units = Math.max(length > 0 && steps > 1 ? 1 : 0, Math.round(length * steps))
  return glyphs.full.repeat(Math.floor(units / steps)) + glyphs.parts[units % steps]
}
