import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Every page of the project, by its path from the root with forward slashes. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8')

/** The text below a heading (`## Output`) of a page, down to the next heading of the same level; empty without it. */
export function sectionOf(page: string, heading: string): string {
  const [, section = ''] = `\n${readPage(page)}`.split(`\n${heading}\n`)
  const level = heading.slice(0, heading.indexOf(' ') + 1)
  return section.split(`\n${level}`)[0] ?? ''
}

/** The first block of code in a language below a heading of a page; empty without it. */
export const blockBelow = (page: string, heading: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(sectionOf(page, heading))?.[1] ?? ''
