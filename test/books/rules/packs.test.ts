import { describe, expect, it } from 'vitest'
import { examineBook } from '../../../src/books/examine.ts'
import { openRules } from '../../../src/books/rules/index.ts'
import { packs } from '../../../src/books/rules/packs/index.ts'
import { checkRules } from '../../../src/books/rules/schema.ts'
import { anyFile } from '../../../src/system/may-read.ts'
import { cutPng } from '../../support/books/judge.ts'
import { fileOf, honestMetadata, makeBook } from '../../support/books/make-book.ts'

const codesBy = async (pack: string, parts: Parameters<typeof makeBook>[0]) => {
  const rules = await openRules([pack], anyFile, 0)
  const { problems } = await examineBook(fileOf(makeBook(parts)), anyFile, { rules })
  return problems.map(({ code }) => code)
}

describe.each(Object.entries(packs))('the pack %s', (name, pack) => {
  it('is a file of rules, each with its words and address', () => {
    expect(checkRules(JSON.parse(JSON.stringify(pack)), new Set())).toHaveProperty('data')
    const wrong = pack.rules.filter(
      ({ id, says, link, check, hint, person }) =>
        !id.startsWith(name) || !says?.endsWith('.') || !link || (check ? !hint : !person),
    )
    expect(wrong.map(({ id }) => id)).toEqual([])
  })
})

it('Qualebook is whole, and most of it is asked by the program', () => {
  const { rules = [] } = packs['qualebook'] ?? {}
  const ids = Array.from({ length: 88 }, (_, at) => `qualebook-${String(at + 1).padStart(2, '0')}`)
  expect(rules.map(({ id }) => id)).toEqual(ids)
  expect(rules.filter(({ check }) => check)).toHaveLength(69)
})

it('finds what is against a rule of a pack, and not what is as it asks', async () => {
  const cover = (width: number, height: number) => ({
    manifest: '<item id="c" href="c.png" media-type="image/png" properties="cover-image"/>',
    entries: { 'EPUB/c.png': cutPng(width, height) },
  })
  expect(await codesBy('retail', cover(1399, 2100))).toContain('retail-apple-cover')
  expect(await codesBy('retail', cover(1400, 2100))).not.toContain('retail-apple-cover')
  expect(await codesBy('retail', {})).toContain('retail-google-cover')
  expect(await codesBy('qualebook', {})).toContain('qualebook-36')
  const page =
    '<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en"><body><p>One.</p></body></html>'
  expect(await codesBy('qualebook', { entries: { 'EPUB/one.xhtml': page } })).not.toContain('qualebook-36')
  expect(await codesBy('accessible', {})).toContain('accessible-modes')
  const metadata = `${honestMetadata}<meta property="schema:accessMode">textual</meta>`
  expect(await codesBy('accessible', { metadata })).not.toContain('accessible-modes')
})
