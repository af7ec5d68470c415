import { describe, expect, it } from 'vitest'
import { openConfirmations } from '../../src/agents/confirmations.ts'
import { openContinuations } from '../../src/agents/continuations.ts'
import { sleeplessClock } from '../support/machine/clock.ts'

describe('a confirmation', () => {
  it('can be used for ten minutes', () => {
    const clock = sleeplessClock()
    const confirmations = openConfirmations(clock)
    const [first, second] = [confirmations.make('a'), confirmations.make('a')]
    clock.advance(9 * 60_000)
    expect(() => confirmations.use(first, 'a')).not.toThrow()
    clock.advance(60_000)
    expect(() => confirmations.use(second, 'a')).toThrow('the confirmation is too old')
  })

  it('is forgotten when a hundred others were made', () => {
    const confirmations = openConfirmations(sleeplessClock())
    const all = Array.from({ length: 101 }, () => confirmations.make('a'))
    expect(() => confirmations.use(all[0] as string, 'a')).toThrow('unknown')
    for (const each of all.slice(1)) expect(() => confirmations.use(each, 'a')).not.toThrow()
  })
})

describe('what answers go on with', () => {
  const rest = (text: string) => ({ text, isError: false, call: undefined })

  it('is kept for the latest 64 answers', () => {
    const continuations = openContinuations()
    const names = Array.from({ length: 65 }, () => continuations.keep(rest('x')))
    expect(names.filter(name => continuations.find(name) === undefined)).toEqual([names[0]])
  })

  it('is kept for fewer where it is large', () => {
    const continuations = openContinuations()
    const names = Array.from({ length: 6 }, () => continuations.keep(rest('x'.repeat(3_900_000))))
    expect(names.map(name => continuations.find(name) !== undefined)).toEqual([
      ...[false, false, true, true, true, true],
    ])
  })
})
