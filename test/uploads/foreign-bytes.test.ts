import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Product } from '../../src/plan/product.ts'
import { Failure } from '../../src/system/errors.ts'
import { message, onixFile, record, title } from '../support/catalogues/onix.ts'
import { fullRecord, shortRecord } from '../support/catalogues/onix-record.ts'
import { readProducts } from '../support/catalogues/read-products.ts'
import { isSlow } from '../support/machine/slow.ts'

/** What the sources give, or the failure that they end with. Any other error is passed on. */
async function read(content: Buffer, name: string): Promise<number | Failure> {
  let count = 0
  try {
    for await (const _ of readProducts([onixFile(content, name)])) count += 1
    return count
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

const sources: readonly (readonly [string, string])[] = [
  ['feed.xml', message(fullRecord, record(), '<!-- a -->')],
  ['short.xml', `<ONIXmessage release="3.1">${shortRecord}<product><![CDATA[x]]></product></ONIXmessage>`],
  ['sheet.csv', 'isbn,title,author,key\n9783161484100,"The ""Sea""",A; B,k\n,"two\nlines",,x\n'],
  ['sheet.json', '[{"isbn":"9783161484100","author":["A"],"metadata":{"a":1}},{"key":"k"}]'],
  ['sheet.yaml', '- isbn: 9783161484100\n  author: [A, B]\n- key: &a k\n  title: *a\n'],
]

describe.each(sources)('%s', (name, content) => {
  it('ends in products or in one line, whatever bytes are changed', async () => {
    const bytes = Buffer.from(content)
    const change = fc.record({
      at: fc.nat(bytes.length - 1),
      remove: fc.nat(20),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 4 }).map(each => Buffer.from(each)),
        fc
          .constantFrom(
            '<',
            '>',
            '&',
            '&#0;',
            '&x;',
            ']]>',
            '<![CDATA[',
            '<!--',
            '"',
            '\0',
            '\r',
            ';',
            ',',
            '\n',
            '*a',
            '{',
            '[',
          )
          .map(Buffer.from),
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
        let changed = bytes
        for (const { at, remove, insert } of changes)
          changed = Buffer.concat([changed.subarray(0, at), insert, changed.subarray(at + remove)])
        const end = await read(changed, name)
        if (typeof end === 'number') return
        expect(end.exitCode).toBe(2)
        expect(end.message).not.toMatch(/[\n\r]/)
        expect(end.hint).toBeTruthy()
      }),
      { numRuns: isSlow ? 1000 : 30 },
    )
    // Each YAML sheet is read by a thread of its own.
  }, 240_000)
})

describe('text that is read in pieces', () => {
  const letters = 'é漢👩🏽‍💻'
  it.each([0, 1, 2, 3, 5, 7])('keeps its letters where a piece ends within one, moved by %i', async shift => {
    const long = `${'x'.repeat(shift)}${letters.repeat(12_000)}`
    const titlesIn = async (content: string | Buffer, name: string) => {
      const titles: (string | undefined)[] = []
      for await (const product of readProducts([onixFile(content, name)]))
        titles.push((product as Product).overrides.title)
      return titles
    }
    const xml = message(record({ title: title({ TitleText: long }) }))
    expect(await titlesIn(xml, 'feed.xml')).toEqual([long])
    expect(await titlesIn(Buffer.from(`\uFEFF${xml}`, 'utf16le'), 'feed.xml')).toEqual([long])
    const csv = `isbn,title\n9783161484100,"${long} ""x"""\n,short\n`
    expect(await titlesIn(csv, 'sheet.csv')).toEqual([`${long} "x"`, 'short'])
    expect(await titlesIn(Buffer.from(`\uFEFF${csv}`, 'utf16le').swap16(), 'sheet.csv')).toEqual([
      `${long} "x"`,
      'short',
    ])
  })
})
