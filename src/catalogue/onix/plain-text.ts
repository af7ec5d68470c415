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

/** Elements of HTML within a line. */
const inline = new Set(
  'a abbr acronym b bdi bdo big br center cite code del dfn em font i img ins kbd mark nobr q rb rt ruby s samp small span strike strong sub sup td th time tt u var wbr'.split(
    ' ',
  ),
)

/** What surrounds other elements, and has no effect of its own. */
const around = new Set(['html', 'body', 'title', 'meta', 'link', 'tbody', 'thead', 'tfoot', 'main', 'nav'])

/** The name of a tag, with a slash before that of one that closes; undefined for what is none. */
type TagName = (token: string) => string | undefined

/** All that looks like a tag is one. */
const anyTag: TagName = token =>
  token.endsWith('>') ? /^<(\/?[a-zA-Z][a-zA-Z0-9]*)/.exec(token)?.[1]?.toLowerCase() : undefined

/** A tag of HTML, as people write it: `a < b and c > d` has none, and neither has `<b and c>`. */
const htmlTag: TagName = token => {
  const tag = anyTag(token)
  if (tag === undefined) return undefined
  const rest = token.slice(1 + tag.length, -1)
  const after = rest.trim()
  if (after !== '' && after !== '/' && !(/^\s/.test(rest) && /^[\w:-]+\s*=/.test(after))) return undefined
  const name = tag.replace('/', '')
  return [blocks, inline, unseen, around].some(names => names.has(name)) ? tag : undefined
}

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
      if (typeof child === 'string') writeHtml(writer, child, htmlTag)
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

/** Writes HTML that stands in a text. It need not be well-formed. */
function writeHtml(writer: ReturnType<typeof plainWriter>, html: string, tagName: TagName): void {
  for (const [token] of html.matchAll(/<[^<>]*>|[^<]+|</g)) {
    if (token.startsWith('<!') || token.startsWith('<?')) continue
    const name = tagName(token)
    if (name === undefined) writer.text(decoded(token))
    else if (name.startsWith('/')) writer.close(name.slice(1))
    else writer.open(name)
  }
}

/** The plain text of HTML that was written as text. */
export function plainTextOfHtml(html: string, tagName = anyTag): string {
  const writer = plainWriter()
  writeHtml(writer, html, tagName)
  return writer.done()
}

const decoded = (text: string): string =>
  text.replace(/&(#?[a-zA-Z0-9]{1,32});/g, (all, name: string) => htmlEntity(name) ?? all)

/** Codes of list 34: HTML, XML and XHTML. */
const markedUp = new Set(['02', '03', '05'])

/** Whether elements of HTML separate the lines of a text, so that its own line ends are only those of its source. */
const separates = (html: string): boolean =>
  [...html.matchAll(/<[^<>]*>/g)].some(([token]) => {
    const name = htmlTag(token)?.replace('/', '') ?? ''
    return name === 'br' || blocks.has(name) || unseen.has(name)
  })

/**
 * The plain text of an element `Text`. The elements and entities of HTML are read as such whatever its format says, since
 * many do not say it, or say otherwise; where it is marked up, all that looks like a tag is one.
 */
function plainTextOf(text: OnixElement): string {
  if (text.content.some(child => typeof child !== 'string')) return ofElements(text)
  const raw = rawTextOf(text)
  const { textformat = '' } = text.attributes
  if (markedUp.has(textformat.padStart(2, '0'))) return plainTextOfHtml(raw)
  if (separates(raw)) return plainTextOfHtml(raw, htmlTag)
  return raw
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(line => plainTextOfHtml(line, htmlTag).trim())
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
