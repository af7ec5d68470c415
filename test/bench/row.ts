import type { Growth } from './growth-figures.ts'
import type { Machine } from './machine.ts'

/** One line of the table: what was measured against its goal. */
export interface Measured {
  readonly what: string
  /** The goal in words. */
  readonly goal: string
  /** What came out, in words. */
  readonly result: string
  /** Nothing when a peer is missing, so that there is nothing to compare with. */
  readonly isReached: boolean | undefined
  /** The figures behind it, by what they stand for. */
  readonly figures: Readonly<Record<string, number>>
  /** What is drawn of it. */
  readonly growth?: Growth
}

/** A bench: what it is called on the command line, and what it measures. */
export interface Bench {
  readonly name: string
  run(machine: Machine): Promise<Measured[]>
}

interface Limits {
  /** The ratio that may not be exceeded. */
  readonly most?: number
  /** The ratio that must be reached. */
  readonly least?: number
  /** The most memory, in MiB. */
  readonly memory?: number
}

/** Holds a ratio, and the most memory used, against the limits of a goal. */
export function judge(
  what: string,
  reference: string,
  { most, least, memory }: Limits,
  ratio: number,
  figures: Readonly<Record<string, number>>,
  peak?: number,
): Measured {
  const goal = [
    most === undefined ? '' : `≤ ${most} × ${reference}`,
    least === undefined ? '' : `≥ ${least} × ${reference}`,
    memory === undefined ? '' : `< ${memory} MiB`,
  ]
  const result = [`${ratio.toFixed(2)} ×`, peak === undefined ? '' : `${Math.ceil(peak)} MiB`]
  return {
    what,
    goal: goal.filter(Boolean).join(', '),
    result: result.filter(Boolean).join(', '),
    isReached:
      (most === undefined || ratio <= most) &&
      (least === undefined || ratio >= least) &&
      (memory === undefined || (peak !== undefined && peak < memory)),
    figures: { ratio, ...(peak === undefined ? {} : { peakMiB: peak }), ...figures },
  }
}

/** Holds a time in milliseconds, and the most memory used, against the most that they may be. `of` follows the time in the goal. */
export const judgeTime = (
  what: string,
  of: string,
  { most, memory }: { readonly most: number; readonly memory?: number },
  milliseconds: number,
  figures: Readonly<Record<string, number>> = {},
  peak?: number,
): Measured => ({
  what,
  goal: [`≤ ${most} ms ${of}`, memory === undefined ? '' : `< ${memory} MiB`].filter(Boolean).join(', '),
  result: [`${milliseconds.toFixed(1)} ms`, peak === undefined ? '' : `${Math.ceil(peak)} MiB`]
    .filter(Boolean)
    .join(', '),
  isReached: milliseconds <= most && (memory === undefined || (peak !== undefined && peak < memory)),
  figures: { milliseconds, ...(peak === undefined ? {} : { peakMiB: peak }), ...figures },
})

/** A line for a goal that cannot be measured here, since its peer is missing. */
export const missing = (what: string, goal: string, peer: string): Measured => ({
  what,
  goal,
  result: `${peer} is not here`,
  isReached: undefined,
  figures: {},
})
