import { describe, expect, it } from 'vitest'
import {
  changeableDifferencesOf,
  changesIn,
  fixedDifferencesOf,
  namesOf,
} from '../../src/plan/differences.ts'
import { isbn13 } from '../../src/plan/match.ts'

describe('what differs and can be changed', () => {
  const changesOf = (...both: Parameters<typeof changeableDifferencesOf>) =>
    changesIn(changeableDifferencesOf(...both))

  it('is given with both values, and as the body of a request, without what is equal or not given', () => {
    const there = { language: 'English', description: 'About', sampleItems: ['one', 'two'] }
    expect(
      changeableDifferencesOf({ language: 'French', isForInternalReadingInstance: true }, there),
    ).toEqual([
      { field: 'language', there: 'English', wanted: 'French' },
      { field: 'isForInternalReadingInstance', there: null, wanted: true },
    ])
    expect(changesOf({ language: 'French', description: 'About', sampleItems: undefined }, there)).toEqual({
      language: 'French',
    })
    expect(changesOf({ sampleItems: ['two', 'one'] }, there)).toEqual({ sampleItems: ['two', 'one'] })
    expect(changesOf({ sampleItems: ['one', 'two'], description: ' About ' }, there)).toBeUndefined()
  })
})

describe('what differs and cannot be changed', () => {
  it('is named, in the metadata as well', () => {
    expect(
      fixedDifferencesOf(
        { title: 'One', author: ['Ada'], metadata: { publisher: 'Press', volume: 2 } },
        { title: 'Two', author: ['Ada'], metadata: { publisher: 'Other', volume: 2 } },
      ),
    ).toEqual([
      { field: 'title', there: 'Two', wanted: 'One' },
      { field: 'publisher', there: 'Other', wanted: 'Press' },
    ])
    expect(fixedDifferencesOf({ metadata: { publisher: 'Press' } }, {})).toEqual([
      { field: 'publisher', there: null, wanted: 'Press' },
    ])
  })

  it('is nothing that was not given', () => {
    expect(fixedDifferencesOf({ title: undefined }, { title: 'One' })).toEqual([])
  })

  it('is no collection where the answer names none', () => {
    expect(fixedDifferencesOf({ collectionIds: ['col_1'] }, {})).toEqual([])
    expect(fixedDifferencesOf({ collectionIds: ['col_1'] }, { collectionIds: ['col_2'] })).toEqual([
      { field: 'collectionIds', there: ['col_2'], wanted: ['col_1'] },
    ])
    expect(namesOf(fixedDifferencesOf({ title: 'One' }, {}))).toEqual(['title'])
  })

  it('is no other way to write the same ISBN', () => {
    const of = (isbn: unknown) => ({ metadata: { isbn } })
    expect(fixedDifferencesOf(of('0-306-40615-2'), of('9780306406157'))).toEqual([])
    expect(namesOf(fixedDifferencesOf(of('9780306406157'), of('9783161484100')))).toEqual(['isbn'])
    expect(namesOf(fixedDifferencesOf(of('none'), of('no')))).toEqual(['isbn'])
  })
})

it.each([
  ['978-0-306-40615-7', '9780306406157'],
  ['0 306 40615 2', '9780306406157'],
  ['080442957X', '9780804429573'],
  ['97803064061570', undefined],
  ['0306406152 and more', undefined],
  [9_780_306_406_157, undefined],
])('the ISBN %s as thirteen digits is %s', (text, digits) => {
  expect(isbn13(text)).toBe(digits)
})
