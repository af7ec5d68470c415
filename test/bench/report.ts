import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Measured } from './row.ts'

/** Where and when it was measured, and with what. */
export interface Circumstances {
  readonly date: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  /** What `node -e 0` takes, which says how quick the machine is and how busy with other work. */
  readonly nodeMilliseconds?: number
}

export function circumstancesOf(
  versions: Readonly<Record<string, string>>,
  rows: readonly Measured[],
): Circumstances {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  const cores = cpus().length
  const [nodeMilliseconds] = rows.flatMap(({ figures }) => figures['nodeMilliseconds'] ?? [])
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${words[cores] ?? cores} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform}`,
    versions,
    ...(nodeMilliseconds === undefined ? {} : { nodeMilliseconds }),
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

const sentence = ({ date, machine, versions, nodeMilliseconds }: Circumstances): string => {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const start = nodeMilliseconds === undefined ? [] : [`node -e 0 takes ${nodeMilliseconds.toFixed(1)} ms`]
  return [`${date}, ${machine}`, programs.join(', '), ...start].join('; ')
}

/** Puts the table between the marks of a page. */
export function writePage(path: string, circumstances: Circumstances, rows: readonly Measured[]): void {
  const table = [
    '| what | goal | measured | |',
    '|---|---|---|---|',
    ...rows.map(row => `| ${row.what} | ${row.goal} | ${row.result} | ${verdict(row)} |`),
  ]
  const content = `Measured ${sentence(circumstances)}.\n\n${table.join('\n')}`
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), 'bench', content))
}

/** A page with other content between the marks of a section. */
export function withSection(page: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, after] = [page.indexOf(open), page.indexOf(close)]
  if (before < 0 || after < before) throw new Error(`the page has no place for ${name}`)
  return `${page.slice(0, before)}${open}\n\n${content}\n\n${page.slice(after)}`
}
