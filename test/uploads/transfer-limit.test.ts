import pLimit from 'p-limit'
import { describe, expect, it } from 'vitest'
import { judgedEvery, openTransferLimit } from '../../src/uploads/transfer-limit.ts'

const seconds = judgedEvery / 1000

/** Transfers of large files over a line that carries so many bytes a second, judged so many times; gives the limits. */
function limitsOver(line: readonly number[], concurrency: number): number[] {
  const limit = pLimit(concurrency)
  const transferLimit = openTransferLimit(limit)
  return line.map(bytesPerSecond => {
    const transfers = Array.from({ length: limit.concurrency }, () => transferLimit.begin(1e12))
    for (const { sent } of transfers) sent((bytesPerSecond * seconds) / transfers.length)
    transferLimit.judge()
    for (const { end } of transfers) end()
    return limit.concurrency
  })
}

describe('the number of files that are sent at a time', () => {
  it.each<[string, number, number, number[]]>([
    ['goes down while transfers starve each other', 125_000, 16, [8, 4, 2, 2]],
    ['goes down to one, and no further', 1000, 4, [2, 1, 1, 1]],
    ['stays where each gets on', 1_000_000, 16, [16, 16, 16, 16]],
  ])('%s', (_, line, concurrency, limits) => {
    expect(limitsOver(Array(4).fill(line), concurrency)).toEqual(limits)
  })

  it('goes up again, one at a time, when the line is free, and not beyond what was asked for', () => {
    expect(limitsOver([8000, 8000, 1e6, 1e6, 1e6, 1e6], 3)).toEqual([1, 1, 2, 3, 3, 3])
  })

  it('does not go down for a store that takes its time to answer', () => {
    const limit = pLimit(4)
    const transferLimit = openTransferLimit(limit)
    for (let count = 0; count < 4; count++) transferLimit.begin(1000).sent(1000)
    transferLimit.judge()
    transferLimit.judge()
    expect(limit.concurrency).toBe(4)
  })
})
