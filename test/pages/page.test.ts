import { describe, expect, it } from 'vitest'
import { cutValue } from '../../src/pages/cut-value.ts'
import { html, type PageValue } from '../../src/pages/html.ts'
import { plainList, share, table } from '../../src/pages/parts.ts'

describe('a text in a page', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['" onmouseover="alert(1)', '&quot; onmouseover=&quot;alert(1)'],
    ["' onmouseover='alert(1)", '&#39; onmouseover=&#39;alert(1)'],
    ['&lt;', '&amp;lt;'],
    ['a\u202eb\u001b[31m\u0000', 'a\\u202eb\\u001b[31m\\u0000'],
    ['a\tb\r\nc', 'a b\nc'],
    ['\uffff', '\ufffd'],
    ['😀 é', '😀 é'],
  ])('is shown as it is: %j', (text, shown) => {
    expect(html`<p title="${text}">${text}</p>`.toString()).toBe(`<p title="${shown}">${shown}</p>`)
  })
})

it.each([
  [html`<b>${'<'}</b>`, '<b>&lt;</b>'],
  [[html`<i></i>`, '<', [1, html`<b></b>`]], '<i></i>&lt;1<b></b>'],
  [undefined, ''],
  [false, ''],
  [0, '0'],
  ['', ''],
] as [PageValue, string][])('html takes %s', (value, shown) => {
  expect(html`${value}`.toString()).toBe(shown)
})

it.each([
  [0, '0 %', '0.0'],
  [0.001, '&lt; 1 %', '0.1'],
  [0.5, '50 %', '50.0'],
  [1, '100 %', '100.0'],
  [7, '700 %', '100.0'],
])('a share of %d is said and drawn', (part, said, width) => {
  const shown = share(part).toString()
  expect(shown).toContain(`<span>${said}</span>`)
  expect(shown).toContain(`width="${width}"`)
})

it('a table has a name, a caption, and headers for its columns and rows', () => {
  const shown = table(
    { name: 'Sums', caption: 'All sums.' },
    [{ title: 'Thing' }, { title: 'Sum', isNumber: true }],
    [['a<b', 3]],
  ).toString()
  expect(shown).toContain('role="region" aria-label="Sums" tabindex="0"')
  expect(shown).toContain('<caption><span>All sums.</span></caption>')
  expect(shown).toContain('<th scope="col">Thing</th><th scope="col" class="number">Sum</th>')
  expect(shown).toContain('<tr><th scope="row">a&lt;b</th><td class="number">3</td></tr>')
})

it('a column in which no row has anything is left out, unless it is the first', () => {
  const columns = ['Book', 'Why', 'Fields'].map(title => ({ title }))
  const headsOf = (rows: PageValue[][]) =>
    [
      ...table({ name: 'x', caption: '' }, columns, rows)
        .toString()
        .matchAll(/<th scope="col">(\w+)/g),
    ].map(([, title]) => title)
  expect(headsOf([])).toEqual(['Book', 'Why', 'Fields'])
  expect(headsOf([['', undefined, 0]])).toEqual(['Book', 'Fields'])
  expect(
    headsOf([
      ['a', false, plainList([])],
      ['b', 'c', ''],
    ]),
  ).toEqual(['Book', 'Why'])
})

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab😀d', 3, 'ab…'],
])('%j is shortened to %d code units', (text, max, shown) => {
  expect(cutValue(text, max)).toBe(shown)
})

it('a list without items is nothing', () => {
  expect(plainList([])).toBeUndefined()
  expect(plainList(['<'])?.toString()).toBe('<ul><li>&lt;</li></ul>')
})
