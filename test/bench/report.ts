import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Measured } from './row.ts'

/** Where and when it was measured, and with what. */
export interface Circumstances {
  readonly date: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
}

export function circumstancesOf(versions: Readonly<Record<string, string>>): Circumstances {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  const cores = cpus().length
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${words[cores] ?? cores} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform}`,
    versions,
  }
}

const verdict = ({ isReached }: Measured): string =>
  isReached === undefined ? 'not measured' : isReached ? 'reached' : 'missed'

/** Aligned columns for a person. */
export function asText(circumstances: Circumstances, rows: readonly Measured[]): string {
  const cells = rows.map(row =>
    [row.what, row.goal, row.result, verdict(row)].map(cell => cell.replaceAll('`', '')),
  )
  const widths = [0, 1, 2, 3].map(index => Math.max(0, ...cells.map(row => (row[index] as string).length)))
  const lines = cells.map(row =>
    row
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join('  ')
      .trimEnd(),
  )
  return `${sentence(circumstances)}\n\n${lines.join('\n')}\n`
}

const sentence = ({ date, machine, versions }: Circumstances): string =>
  `${date}, ${machine}; ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}`

/** Puts the table between the marks of a page. */
export function writePage(path: string, circumstances: Circumstances, rows: readonly Measured[]): void {
  const table = [
    '| what | goal | measured | |',
    '|---|---|---|---|',
    ...rows.map(row => `| ${row.what} | ${row.goal} | ${row.result} | ${verdict(row)} |`),
  ]
  const [open, close] = ['<!-- bench -->', '<!-- /bench -->']
  const text = readFileSync(path, 'utf8')
  const [before, after] = [text.indexOf(open), text.indexOf(close)]
  if (before < 0 || after < before) throw new Error(`${path} has no place for the table`)
  const section = `${open}\n\nMeasured ${sentence(circumstances)}.\n\n${table.join('\n')}\n\n`
  writeFileSync(path, text.slice(0, before) + section + text.slice(after))
}
