import { randomFrom } from '../support/machine/random.ts'

/** Choices that follow from a seed alone. */
export interface Random {
  /** An integer from 0 to `end`, without `end`. */
  below(end: number): number
  /** Whether something happens that happens once in so many times. */
  once(times: number): boolean
  pick<T>(all: readonly T[]): T
}

export function randomOf(seed: number): Random {
  const next = randomFrom(seed)
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    once: times => below(times) === 0,
    pick: <T>(all: readonly T[]) => all[below(all.length)] as T,
  }
}
