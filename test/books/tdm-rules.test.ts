import { describe, expect, it } from 'vitest'
import { ruleFor, tdmRulesIn } from '../../src/inspect/tdm-site/rules.ts'

const rules = (...locations: string[]) =>
  locations.map(location => ({ location, reservation: 'reserved' as const }))

describe('the rule of a site that holds for a path', () => {
  it.each<[string, string[], string | undefined]>([
    ['/a.epub', ['/'], '/'],
    ['/a.epub', ['/books/'], undefined],
    ['/books/a.epub', ['/', '/books/'], '/books/'],
    ['/books/a.epub', ['/books/', '/'], '/books/'],
    ['/books/a.epub', ['/books/*.epub', '/books/*.pdf'], '/books/*.epub'],
    ['/books/a.epub', ['/*.epub$'], '/*.epub$'],
    ['/books/a.epub.zip', ['/*.epub$'], undefined],
    ['/books/a.epub', ['/books/a.epub$'], '/books/a.epub$'],
    ['/books/a.epub2', ['/books/a.epub$'], undefined],
    ['/books/a', ['/*/a*a$'], undefined],
    ['/Books/a', ['/books/'], undefined],
    ['/caf%C3%A9', ['/café'], '/café'],
    ['/caf%c3%a9', ['/caf%C3%A9'], '/caf%C3%A9'],
    ['/%61', ['/a'], '/a'],
    ['/foo-$', ['/foo-%24'], '/foo-%24'],
    ['/foo-*', ['/foo-%2a'], '/foo-%2a'],
    ['/a', ['a', '*a'], '*a'],
    ['/a', ['/\uD800'], undefined],
  ])('of %s among %s', (path, locations, expected) => {
    expect(ruleFor(path, rules(...locations))?.best.location).toBe(expected)
  })

  it('is found at once among patterns that are made to take long', () => {
    const path = `/${'a'.repeat(5000)}`
    expect(ruleFor(path, rules(`/${'*a'.repeat(5000)}*b`))).toBe(undefined)
  })

  it('is read from a list alone, without what is no rule', () => {
    expect(tdmRulesIn({})).toBe(undefined)
    expect(tdmRulesIn(null)).toBe(undefined)
    const found = tdmRulesIn([
      { location: '/', 'tdm-reservation': '1', 'tdm-policy': 5 },
      { location: '/', 'tdm-reservation': true },
      { 'tdm-reservation': 1 },
      null,
    ])
    expect(found?.rules).toEqual([{ location: '/', reservation: 'reserved' }])
    expect(found?.faults).toHaveLength(3)
  })
})
