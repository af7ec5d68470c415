import { describe, expect, it } from 'vitest'
import { withBaseline } from '../../src/books/baseline/judge.ts'
import { findKnown, knownBook } from '../../src/books/baseline/known.ts'
import type { Problem } from '../../src/books/book.ts'
import { limited } from '../../src/books/problems.ts'

const warning = (code: string, place?: string): Problem => ({
  ...{ severity: 'warning', code, message: `${code}.` },
  ...(place && { place }),
})
const always = () => true

/** What is judged of problems against those of an earlier time: the severities and codes. */
const judged = (
  now: readonly Problem[],
  before: readonly Problem[],
  isAsked: (code: string) => boolean = always,
) =>
  withBaseline(now, knownBook('a.epub', { problems: [...before] }).faults, 'known.json', isAsked).map(
    ({ severity, code, place = '', known = '', message }) =>
      code.startsWith('baseline_') ? message : [severity, code, place, known].join(' ').trim(),
  )

describe('of the problems of a book', () => {
  it('those that are known are information, whatever their lines are now', () => {
    const before = [
      warning('a', 'x.xhtml:3'),
      warning('a', 'x.xhtml:9'),
      { ...warning('b'), severity: 'error' as const },
    ]
    const now = [
      warning('a', 'x.xhtml:5:12'),
      warning('a', 'x.xhtml:11:1'),
      { ...warning('b'), severity: 'error' as const },
    ]
    expect(judged(now, before)).toEqual([
      ...['information a x.xhtml:5:12 warning', 'information a x.xhtml:11:1 warning', 'information b  error'],
      '3 problems are known by known.json: 2 a, 1 b.',
    ])
  })

  it('new ones stay as grave as they are: of another kind, at another place, or more of them', () => {
    const before = [warning('a', 'x.xhtml:3'), warning('b', 'x.xhtml')]
    const now = [...before, warning('a', 'x.xhtml:4'), warning('b', 'y.xhtml'), warning('c', 'x.xhtml')]
    expect(judged(now, before)).toEqual([
      ...['warning a x.xhtml:3', 'information b x.xhtml warning', 'warning a x.xhtml:4', 'warning b y.xhtml'],
      'warning c x.xhtml',
      '1 problem is known by known.json: 1 b.',
    ])
  })

  it('those that are gone are counted, but not where they were not looked for', () => {
    const before = [warning('a', 'x.xhtml:3'), warning('a', 'x.xhtml:4'), warning('RSC-005', 'x.xhtml:3')]
    expect(judged([warning('a', 'x.xhtml:3')], before)).toEqual([
      'information a x.xhtml:3 warning',
      '1 problem is known by known.json: 1 a.',
      '2 problems are in known.json and gone: 1 RSC-005, 1 a.',
    ])
    expect(judged([], before, code => code === 'a')).toEqual(['2 problems are in known.json and gone: 2 a.'])
    expect(judged([warning('not_examined', 'x.xhtml')], before)).toEqual(['warning not_examined x.xhtml'])
  })

  it('what was not read is never known', () => {
    const unread = [
      warning('not_examined', 'x.xhtml'),
      { ...warning('checker_failed'), severity: 'error' as const },
    ]
    expect(judged(unread, unread)).toEqual(['warning not_examined x.xhtml', 'error checker_failed'])
  })

  const many = (code: string, count: number) =>
    Array.from({ length: count }, (_, index) => warning(code, `${String(index).padStart(3, '0')}.xhtml`))

  it('of a kind of which not all are listed, the number in the book counts', () => {
    const before = limited(many('a', 25))
    const fewer = judged(limited(many('a', 25).slice(3)), before)
    expect(fewer.filter(line => line.startsWith('warning'))).toEqual([])
    expect(fewer.slice(-2)).toEqual([
      '22 problems are known by known.json: 22 a.',
      '3 problems are in known.json and gone: 3 a.',
    ])
    const more = judged(limited(many('a', 26)), before)
    expect(more.filter(line => line.startsWith('warning'))).toHaveLength(21)
  })

  it('of more than a hundred problems, the number in the book counts', () => {
    const all = (count: number) => 'abcdefg'.split('').flatMap(code => many(code, count))
    const before = limited(all(25))
    expect(before).toHaveLength(101)
    expect(judged(limited(all(25)), before).at(-1)).toMatch(/^175 problems are known/)
    const more = judged(limited([...all(25), warning('h')]), before)
    expect(more.filter(line => line.startsWith('warning'))).toHaveLength(101)
  })
})

describe('a book is found', () => {
  const isbn = '9783161484100'
  const known = (file: string, own?: string) => ({ file, ...(own && { isbn: own }), faults: [] })
  const find = findKnown([
    known('a.epub', isbn),
    known('a.pdf', isbn),
    known('b.epub'),
    known('c.epub', '9780306406157'),
  ])
  it.each([
    ['by its ISBN under another name', 'other/z.epub', isbn, 'a.epub'],
    ['by its ISBN and name before its ISBN alone', 'a.pdf', isbn, 'a.pdf'],
    ['by its name in another folder', 'other/b.epub', undefined, 'b.epub'],
    ['by its name once it has an ISBN', 'b.epub', isbn.replace(/0$/, '7'), 'b.epub'],
    ['by its name where it lost its ISBN', 'c.epub', undefined, 'c.epub'],
    ['not by the name of a book of another ISBN', 'c.epub', '9791091146135', undefined],
    ['not under another name without an ISBN', 'z.epub', undefined, undefined],
  ])('%s', (_, file, own, found) => {
    expect(find(file, own === undefined ? {} : { isbn: own })?.file).toBe(found)
  })
})
