import { describe, expect, it } from 'vitest'
import { type FieldState, fieldState } from '../../src/plan/drift.ts'
import { isSameText } from '../../src/plan/match.ts'

const isSame = (value: unknown, other: unknown) =>
  typeof value === 'string' && typeof other === 'string' ? isSameText(value, other) : value === other

/** What was sent last, what the source says and what the service has: two texts, or none. */
const states: Record<string, FieldState> = {
  'a a a': 'equal',
  'a a b': 'drifted',
  'a a –': 'drifted',
  'a b a': 'outdated',
  'a b b': 'equal',
  'a b –': 'drifted',
  'a – a': 'silent',
  'a – b': 'silent',
  'a – –': 'silent',
  'b a a': 'equal',
  'b a b': 'outdated',
  'b a –': 'drifted',
  'b b a': 'drifted',
  'b b b': 'equal',
  'b b –': 'drifted',
  'b – a': 'silent',
  'b – b': 'silent',
  'b – –': 'silent',
  '– a a': 'equal',
  '– a b': 'drifted',
  '– a –': 'outdated',
  '– b a': 'drifted',
  '– b b': 'equal',
  '– b –': 'outdated',
  '– – a': 'silent',
  '– – b': 'silent',
  '– – –': 'silent',
}

const values = ['a', 'b', '–']
const text = (value: string) => (value === '–' ? undefined : `The text ${value}.`)

describe('what a field is by three values', () => {
  it('is told of all 27 cases', () => {
    const all = values.flatMap(sent =>
      values.flatMap(source => values.map(there => `${sent} ${source} ${there}`)),
    )
    expect(Object.keys(states).sort()).toEqual(all.sort())
  })

  it.each(Object.entries(states))('%s is %s', (three, state) => {
    const [sent, wanted, there] = three.split(' ').map(text)
    // Nothing was sent, which is not the same as not to know what was sent.
    expect(fieldState({ sent: sent ?? null, wanted, there }, isSame)).toBe(state)
  })

  it.each<[string, FieldState]>([
    ['a a', 'equal'],
    ['a b', 'unknown'],
    ['a –', 'unknown'],
    ['– a', 'silent'],
    ['– –', 'silent'],
  ])('%s is %s where it is not known what was sent', (two, state) => {
    const [wanted, there] = two.split(' ').map(text)
    expect(fieldState({ wanted, there }, isSame)).toBe(state)
  })

  it('is drifted where all three are different', () => {
    expect(fieldState({ sent: 'a', wanted: 'b', there: 'c' }, isSame)).toBe('drifted')
  })

  it.each([[''], [null], [false], [[]]])('takes %j for none', none => {
    expect(fieldState({ sent: 'a', wanted: 'a', there: none }, isSame)).toBe('drifted')
    expect(fieldState({ sent: none, wanted: 'a', there: undefined }, isSame)).toBe('outdated')
    // To say that there is nothing is not to say nothing.
    if (none !== null) expect(fieldState({ sent: 'a', wanted: none, there: 'a' }, isSame)).toBe('outdated')
    expect(fieldState({ sent: 'a', wanted: none, there: undefined }, isSame)).toBe('equal')
  })

  it('does not take other spaces for a change', () => {
    expect(fieldState({ sent: 'a  b', wanted: 'c', there: 'a\nb' }, isSame)).toBe('outdated')
  })
})
