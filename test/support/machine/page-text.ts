import { version } from '../../../src/system/version.ts'
import './plain-snapshots.ts'

/**
 * The words of a page as a person reads them: a line for each heading, paragraph and row of a table, and for each drawing its
 * size and texts. A cell begins with "|", or with "|#" where it holds a number.
 */
export function pageText(page: string): string {
  const [, title = '', body = ''] = /<title>([^<]*)<\/title>[\s\S]*<body>([\s\S]*)<\/body>/.exec(page) ?? []
  const text = body
    .replace(/\n/g, ' ')
    .replace(
      /<svg[^>]* viewBox="0 0 ([^"]*)"[\s\S]*?<\/svg>/g,
      (drawing, size) => `\n[${size}${textsOf(drawing)}]`,
    )
    .replace(/<t[hd]( class="number")?[^>]*>/g, (_, number) => (number ? ' |# ' : ' | '))
    .replace(
      /<(?:caption|tr|p|h\d|li|section|figure|figcaption|summary|details|div|dt|dd|footer)\b[^>]*>/g,
      '\n',
    )
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => entities[name as keyof typeof entities])
  const lines = [title, ...text.split('\n')].map(line => line.replace(/\s+/g, ' ').trim())
  return `${lines.filter(Boolean).join('\n')}\n`.replaceAll(version, '(version)')
}

/** What stands in a drawing, each text after a slash. */
const textsOf = (drawing: string): string => drawing.replace(/(?:<[^>]*>\s*)+/g, ' / ').replace(/ \/ $/, '')

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
