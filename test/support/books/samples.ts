import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of real books beside the project, which a fresh clone need not have. */
export const samples = join(import.meta.dirname, '../../../../shared/samples')
export const areThere = existsSync(join(samples, 'MANIFEST.csv'))

type Row = Record<string, string>

/** The rows of a CSV file whose cells may be quoted. */
function rowsOf(text: string): Row[] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') rows.push([])
  }
  const [names = [], ...values] = rows.filter(row => row.some(Boolean))
  return values.map(row => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}

/** What the manifest says of each book. */
export const bookRows: Row[] = areThere
  ? rowsOf(readFileSync(join(samples, 'MANIFEST.csv'), 'utf8')).filter(({ kind }) =>
      /^(?:epub|pdf|lpf)$/.test(kind as string),
    )
  : []
