import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPresenter } from '../../src/cli/output/present.ts'
import { createWriter } from '../../src/cli/output/writer.ts'
import { anyText } from '../support/machine/any-text.ts'
import { machine } from '../support/machine/pubctl.ts'

/** Prints one cell as CSV and gives the whole text. */
async function csvOf(...values: unknown[]): Promise<string> {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const view = {
    columns: [{ field: 'value' }, { field: 'other' }],
    fields: () => new Set(['value']),
    empty: '',
  }
  const items = values.map(value => ({ value, other: 'o' }))
  await createPresenter(createWriter(stream, false), { format: 'csv' }).list(view, [items])
  return text
}

/** Reads CSV as RFC 4180 says, by a reader of the test's own. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    const quoted = /"((?:[^"]|"")*)"(,|\r?\n|$)/y
    const plain = /([^",\r\n]*)(,|\r?\n|$)/y
    const pattern = text[at] === '"' ? quoted : plain
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    row.push((found[1] as string).replaceAll('""', '"'))
    at = pattern.lastIndex
    if (found[2] !== ',') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

/** What a reader finds in the cell of one value. */
const cellFor = async (value: unknown) => readCsv(await csvOf(value))[1]?.[0]

describe('CSV', () => {
  it('comes back the same from a reader, whatever quotes, commas and lines are in it', async () => {
    const text = fc
      .string({ unit: fc.constantFrom('a', 'ß', '漢', '👩‍💻', '"', ',', ';', '\n', ' ', "'", '\\', '1') })
      .filter(each => !/^[\s"']*[=+\-@]/.test(each))
    await fc.assert(
      fc.asyncProperty(text, async value => {
        expect(await cellFor(value)).toBe(value)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '"=1',
    "' =1",
    '\u00a0=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '=cmd|"/c calc"!A0',
  ])('defuses what a spreadsheet would run: %j', async value => {
    const read = await cellFor(value)
    expect(read).toMatch(/^'/)
    expect(read).not.toMatch(/^[\s"]*[=+\-@＝＋－＠\t\r]/)
  })

  it('prints nothing when the command fails, and the header alone when there is nothing', async () => {
    const { run, sandbox } = machine()
    const failed = await run(['publications', 'list', '-o', 'csv'])
    expect({ code: failed.code, out: failed.out }).toEqual({ code: 3, out: '' })
    const empty = await sandbox(['publications', 'list', '-o', 'csv', '--fields', 'publicationId,title'])
    expect(empty).toMatchObject({ code: 0, out: 'publicationId,title\n' })
  })

  it('leaves numbers numbers, and other words alone', async () => {
    expect(await csvOf(-5, 3.25, true, null, '9783161484100', 'a=b', 'x-1')).toBe(
      'value,other\n-5,o\n3.25,o\ntrue,o\n,o\n9783161484100,o\na=b,o\nx-1,o\n',
    )
  })

  it('keeps each item a row of the header’s width', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 5 }), async values => {
        const rows = readCsv(await csvOf(...values))
        expect(rows.map(row => row.length)).toEqual(Array(values.length + 1).fill(2))
      }),
      { numRuns: 500 },
    )
  })
})
