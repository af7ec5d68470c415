import { Writable } from 'node:stream'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import type { Column } from '../../src/cli/output/view.ts'
import { createWriter } from '../../src/cli/output/writer.ts'
import { built } from '../support/machine/built.ts'
import '../support/machine/plain-snapshots.ts'
import { machine } from '../support/machine/pubctl.ts'
import { furnish } from '../support/machine/seeded.ts'
import { isSlow } from '../support/machine/slow.ts'
import { json, serve } from '../support/servers/server.ts'

// cli-table3 measures by our own widths in the build alone.
const { differencesColumn } = (await built(
  'src/cli/output/difference-text.ts',
)) as typeof import('../../src/cli/output/difference-text.ts')
const { createPresenter } = (await built(
  'src/cli/output/present.ts',
)) as typeof import('../../src/cli/output/present.ts')

async function tableOf(columns: Column[], pages: unknown[][], width: number): Promise<string> {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const writer = createWriter(Object.assign(stream, { isTTY: true as const, columns: width }), false)
  await createPresenter(writer, { format: 'table' }).list(
    { columns, fields: () => new Set(), empty: 'none' },
    pages,
  )
  return text
}

const wide = fc.constantFrom(
  'a',
  'Z',
  ' ',
  '漢',
  '한',
  'ｆ',
  'é',
  'e\u0301',
  '👍🏽',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '☺️',
  'שלום',
  'ا',
  'ไก่',
  '\u200d',
  'ﷺ',
)
const cell = fc.string({ unit: wide, maxLength: 60 })
const columns = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(
      'id',
      'title',
      'author',
      'isInUse',
      'createdAtIso',
      'uploadStatus',
      'numberOfBooksRead',
      'x',
    ),
    isCutLast: fc.boolean(),
    kind: fc.constantFrom('text' as const, 'date' as const, 'bytes' as const),
  }),
  { selector: ({ field }) => field, minLength: 1, maxLength: 8 },
)

describe('a table', () => {
  it('is never wider than its terminal, whatever is in it', async () => {
    const rows = fc.array(
      fc.dictionary(fc.constantFrom('id', 'title', 'author', 'uploadStatus', 'x'), cell),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    await fc.assert(
      fc.asyncProperty(
        columns,
        rows,
        rows,
        fc.integer({ min: 40, max: 200 }),
        async (shown, first, second, width) => {
          const lines = (await tableOf(shown, [first, second], width)).split('\n')
          // A card, which stands in where not even narrow columns fit, wraps: it is to be read, not scanned.
          const isTable = shown.length * 5 - 2 <= width
          const tooWide = lines.filter(line => isTable && stringWidth(line) > width)
          expect(tooWide).toEqual([])
        },
      ),
      { numRuns: isSlow ? 500 : 100 },
    )
  })

  it('keeps its columns under their headers, wide characters and emoji counted as a terminal shows them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ title: cell, x: fc.constant('END') }), { minLength: 1 }),
        async rows => {
          const [head = '', ...lines] = (await tableOf([{ field: 'title' }, { field: 'x' }], [rows], 200))
            .trimEnd()
            .split('\n')
          const at = head.indexOf('X')
          expect(lines.map(line => stringWidth(line.slice(0, line.lastIndexOf('END'))))).toEqual(
            lines.map(() => at),
          )
        },
      ),
      { numRuns: isSlow ? 500 : 100 },
    )
  })

  it('takes the time from dates first, then room from long texts, and from ids last', async () => {
    const row = {
      id: 'pub_0123456789abcdef',
      title: 'A Very Long Title of a Very Long Book',
      createdAtIso: '2026-03-01T09:30:00.000Z',
    }
    const shown: Column[] = [
      { field: 'id', isCutLast: true },
      { field: 'title' },
      { field: 'createdAtIso', kind: 'date' },
    ]
    const line = async (width: number) => (await tableOf(shown, [[row]], width)).split('\n')[1]
    expect(await line(100)).toMatch(
      /^pub_0123456789abcdef {2}A Very Long Title of a Very Long Book {2}2026-03-01 \d\d:\d\d$/,
    )
    expect(await line(72)).toBe('pub_0123456789abcdef  A Very Long Title of a Very Long Book  2026-03-01')
    expect(await line(50)).toBe('pub_0123456789abcdef  A Very Long Tit…  2026-03-01')
    expect(await line(30)).toMatch(/^pub_0123456789abcdef {2}/)
  })

  it('shows below a row what a cell has no room for, and texts from where they differ', async () => {
    const shown: Column[] = [
      { field: 'id' },
      { field: 'why', label: 'To do', isBelow: true },
      differencesColumn,
    ]
    const told = (word: string) => `${'a '.repeat(100)}${word}${' z'.repeat(100)}`
    const difference = (there: unknown, wanted: unknown) => ({ field: 'x', there, wanted })
    const rows = [
      { id: 'one', why: 'word '.repeat(20).trim(), differences: null },
      {
        id: 'two',
        why: null,
        differences: [
          difference(null, 5),
          difference(['a', 'b'], []),
          difference(false, { a: 1 }),
          difference(told('here'), told('there')),
          difference('👍'.repeat(50), `${'👍'.repeat(50)}👎`),
          'odd',
        ],
      },
    ]
    expect(await tableOf(shown, [rows], 60)).toMatchInlineSnapshot(`
      ID
      one
        To do: word word word word word word word word word word
          word word word word word word word word word word
      two
        x: there nothing, wanted "5"
        x: there "a; b", wanted nothing
        x: there "no", wanted "{"a":1}"
        x: there
          "…a a a a a a a a a here z z z z z z z z z z z z z z z z z z z…",
          wanted
          "…a a a a a a a a a there z z z z z z z z z z z z z z z z z z …"
        x: there "…👍👍👍👍👍👍👍👍👍👍", wanted
          "…👍👍👍👍👍👍👍👍👍👍👎"
        odd
    `)
  })

  it('shows cards where there are more columns than fit', async () => {
    const shown = Array.from({ length: 20 }, (_, index) => ({ field: `f${index}` }))
    const row = Object.fromEntries(shown.map(({ field }) => [field, 'v']))
    const text = await tableOf(shown, [[row], [row]], 40)
    expect(text.split('\n\n')).toHaveLength(2)
    expect(text).toMatch(/^f0 +v\n/)
  })

  it('does not cut an id of a later page', async () => {
    const pages = [[{ id: 'a' }], [{ id: 'a_much_longer_id' }]]
    expect(await tableOf([{ field: 'id', isCutLast: true }], pages, 80)).toBe('ID\na\na_much_longer_id\n')
  })

  it('leaves the columns of a later page in their places, whatever is longer there', async () => {
    const shown: Column[] = [
      ...[{ field: 'title', isMain: true }, { field: 'type' }, { field: 'status', isCutLast: true }],
      { field: 'id', isCutLast: true },
    ]
    const row = { title: 'T'.repeat(90), type: 'EPUB', status: 'live', id: 'pub_1' }
    const later = { ...row, title: 'Short', status: 'quarantined' }
    expect(await tableOf(shown, [[row], [later, row]], 60)).toMatchInlineSnapshot(`
      TITLE                                    TYPE  STATUS  ID
      TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT…  EPUB  live    pub_1
      Short                               EPUB  quarantined  pub_1
      TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT…  EPUB  live    pub_1
    `)
  })

  it('cuts no header of any listing of the sandbox at 80 columns, and few at 60', async () => {
    const { home, sandbox } = machine()
    await furnish(home, sandbox)
    const wide = ['publications', 'assets', 'metadata-keys', 'domains', 'reader-instances', 'apikeys']
    const narrow = ['reader-users', 'users']
    for (const group of [...wide, ...narrow]) {
      for (const columns of narrow.includes(group) ? [80, 60] : [80]) {
        const { out } = await sandbox([group, 'list'], { columns })
        const [head] = out.split('\n')
        expect({ group, columns, head }).toEqual({ group, columns, head: expect.not.stringContaining('…') })
      }
    }
  })

  it.each([
    {
      columns: 80,
      head: 'TITLE                              TYPE  UPLOAD STATUS  PUBLICATION ID',
      row: '0: The Remarkable Voyage of the …  EPUB  available      pub_00000000000000000000',
    },
    {
      columns: 100,
      head: 'TITLE                               AUTHOR             TYPE  UPLOAD STATUS  PUBLICATION ID',
      row: '0: The Remarkable Voyage of the G…  Ada Lovelace-Byr…  EPUB  available      pub_00000000000000000000',
    },
  ])('gives the titles of publications room at $columns columns', async ({ columns, head, row }) => {
    const items = [0, 1].map(index => ({
      publicationId: `pub_${String(index).repeat(20)}`,
      title: `${index}: The Remarkable Voyage of the Good Ship Perseverance`,
      author: ['Ada Lovelace-Byron', 'Grace Murray Hopper'],
      type: 'EPUB',
      status: 'live',
      uploadStatus: 'available',
      createdAtIso: '2026-03-01T09:30:00.000Z',
    }))
    const { url } = await serve((_, response) => json(response, 200, { items, context: {} }))
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const { out } = await run(['publications', 'list', '--color', 'never'], { columns })
    expect(out.split('\n').slice(0, 2)).toEqual([head, row])
  })

  it('takes only ISO timestamps for dates', async () => {
    const shown: Column[] = [{ field: 'createdAtIso', kind: 'date' }]
    for (const text of ['1', 'May 5', 'hello 2026', '+275760-09-13T00:00:00.000Z', '2026-13-01T00:00Z'])
      expect(await tableOf(shown, [[{ createdAtIso: text }]], 80)).toBe(`CREATED\n${text}\n`)
  })
})
