import { elementsIn, type OnixElement, rawTextOf } from './element.ts'
import { htmlEntity } from './entities.ts'

/** How many line ends stand at least before and after a block of XHTML. */
const blocks = new Map<string, 1 | 2>([
  ...[
    'p',
    'div',
    'ul',
    'ol',
    'dl',
    'table',
    'blockquote',
    'section',
    'article',
    'header',
    'footer',
    'pre',
    'hr',
  ].map(name => [name, 2] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'address', 'figure'].map(name => [name, 2] as const),
  ...['li', 'dt', 'dd', 'tr', 'caption', 'figcaption'].map(name => [name, 1] as const),
])
const unseen = new Set(['script', 'style', 'rp', 'head'])

/** Puts the pieces of an XHTML text together as plain text: a blank line between paragraphs, a dash before items. */
function plainWriter() {
  const parts: string[] = []
  let [lineEnds, hidden] = [0, 0]
  let hasSpace = false
  /** A paragraph that begins an item stays on the line of its dash. */
  let isAtItem = false
  const breakLine = (count: number): void => {
    if (isAtItem) return
    if (parts.length > 0) lineEnds = Math.max(lineEnds, count)
    hasSpace = false
  }
  const write = (text: string): void => {
    if (lineEnds > 0) parts.push('\n'.repeat(lineEnds))
    else if (hasSpace && parts.length > 0) parts.push(' ')
    lineEnds = 0
    hasSpace = false
    isAtItem = false
    parts.push(text)
  }
  return {
    text(text: string): void {
      if (hidden > 0) return
      for (const word of text.split(/([ \t\r\n]+)/)) {
        if (word === '') continue
        if (/^[ \t\r\n]/.test(word)) hasSpace = lineEnds === 0
        else write(word)
      }
    },
    open(name: string): void {
      if (unseen.has(name)) hidden += 1
      if (hidden > 0) return
      if (name === 'br') {
        if (parts.length > 0 && !isAtItem) lineEnds = Math.min(lineEnds + 1, 2)
      } else if (name === 'rt') write('(')
      else if (name === 'td' || name === 'th') hasSpace = lineEnds === 0
      else if (blocks.has(name)) breakLine(blocks.get(name) as number)
      if (name === 'li') {
        write('-')
        hasSpace = true
        isAtItem = true
      }
    },
    close(name: string): void {
      if (unseen.has(name)) hidden = Math.max(hidden - 1, 0)
      else if (hidden > 0) return
      else if (name === 'rt') parts.push(')')
      else if (blocks.has(name)) breakLine(blocks.get(name) as number)
    },
    done: (): string => parts.join(''),
  }
}

function ofElements(text: OnixElement): string {
  const writer = plainWriter()
  const write = (within: OnixElement): void => {
    for (const child of within.content) {
      if (typeof child === 'string') writer.text(child)
      else {
        writer.open(child.name)
        write(child)
        writer.close(child.name)
      }
    }
  }
  write(text)
  return writer.done()
}

/** The plain text of HTML that was written as text. It need not be well-formed. */
export function plainTextOfHtml(html: string): string {
  const writer = plainWriter()
  for (const [token] of html.matchAll(/<[^<>]*>|[^<]+|</g)) {
    const [, slash, name = ''] = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(token) ?? []
    if (token.startsWith('<!') || token.startsWith('<?')) continue
    if (name === '' || !token.endsWith('>')) writer.text(decoded(token))
    else if (slash === '/') writer.close(name.toLowerCase())
    else writer.open(name.toLowerCase())
  }
  return writer.done()
}

const decoded = (text: string): string =>
  text.replace(/&(#?[a-zA-Z0-9]{1,32});/g, (all, name: string) => htmlEntity(name) ?? all)

/** Codes of list 34: HTML, XML and XHTML. */
const markedUp = new Set(['02', '03', '05'])

/**
 * The plain text of an element `Text`. Its format decides whether what looks like a tag is one; text without a format that
 * begins and ends with tags is taken for HTML.
 */
function plainTextOf(text: OnixElement): string {
  if (text.content.some(child => typeof child !== 'string')) return ofElements(text)
  const raw = rawTextOf(text)
  const { textformat = '' } = text.attributes
  const seemsHtml = textformat === '' && /^\s*<[a-zA-Z][^<>]*>/.test(raw) && raw.trimEnd().endsWith('>')
  if (markedUp.has(textformat.padStart(2, '0')) || seemsHtml) return plainTextOfHtml(raw)
  return raw
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The texts of an element, the one in a language first. */
export function localTextOf(language: string, texts: OnixElement): string {
  const all = elementsIn(texts, 'Text')
  const fitting = all.find(({ attributes }) => attributes['language'] === language) ?? all[0]
  return fitting ? plainTextOf(fitting) : ''
}
