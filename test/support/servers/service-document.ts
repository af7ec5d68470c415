import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../../../../shared/service-api.md', import.meta.url))

/** The service's own document, which does not travel with the project; undefined where it is missing. */
export const document = existsSync(path) ? readFileSync(path, 'utf8') : undefined

/** The text under a heading such as `2.4` or `4`, its subsections included. */
export function section(number: string): string {
  const level = number.includes('.') ? '###' : '##'
  const [, after = ''] = `\n${document}`.split(`\n${level} ${number}`)
  return after.split(level === '##' ? '\n## ' : /\n###? /)[0] as string
}

/** The cells of every row of the tables in a text, without headings and rules. */
export const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter(line => line.startsWith('| ') && !/^\| (Field|Method) \|/.test(line))
    .map(line =>
      line
        .slice(1, -1)
        .split('|')
        .map(cell => cell.trim()),
    )

/** The names that a text sets in code type, such as `pageCount`. */
export const codeNames = (text: string): string[] =>
  [...text.matchAll(/`([A-Za-z][\w-]*)`/g)].map(([, name]) => name as string)
