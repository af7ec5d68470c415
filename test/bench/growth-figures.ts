import { readFileSync, writeFileSync } from 'node:fs'
import type { Cost } from './machine.ts'

/** What a run with so many takes, by how many. */
export type CostBySize = { [count: number]: Cost }

/** How the cost of one kind grows. */
export interface Growth {
  readonly name: string
  readonly costs: Readonly<CostBySize>
}

/** Where the figures are from which docs/growth.svg is drawn. */
export const growthFile = 'test/bench/growth.json'

export const readGrowth = (path: string): readonly Growth[] => JSON.parse(readFileSync(path, 'utf8'))

/** Keeps the figures, rounded to what they are worth. */
export function writeGrowth(path: string, all: readonly Growth[]): void {
  const rounded = all.map(({ name, costs }) => ({
    name,
    costs: Object.fromEntries(
      Object.entries(costs).map(([count, { milliseconds, peakMiB }]) => [
        count,
        { milliseconds: Math.round(milliseconds), peakMiB: Math.round(peakMiB) },
      ]),
    ),
  }))
  writeFileSync(path, `${JSON.stringify(rounded, null, 2)}\n`)
}
