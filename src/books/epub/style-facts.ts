import type { Mark, Marks, StyleMark } from '../marks.ts'

/** A rule of a style: its selector, what it declares, and its line from 1. */
interface StyleRule {
  selector: string
  declarations: ReadonlyMap<string, string>
  line: number
  /** Whether it is within a media query. */
  isWithinMedia: boolean
}

/** The most rules of a style that are looked at, and the longest text of one. */
const limits = { rules: 20_000, text: 5000 }

/** Counts what rules ask of a style. */
export function styleMarks(css: string): Marks {
  const marks = new Map<string, Mark>()
  const add = (name: StyleMark, line: number): void => {
    const mark = marks.get(name)
    if (mark) mark.count += 1
    else marks.set(name, { count: 1, line })
  }
  if (isUnminified(css)) add('unminified', 1)
  if (/@import\s{0,20}(?:url\(\s{0,20})?["']?(?:https?:)?\/\//i.test(css)) add('import-remote', 1)
  const rules = [...rulesOf(css)]
  for (const rule of rules) for (const mark of marksOf(rule)) add(mark, rule.line)
  const query = rules.find(({ isWithinMedia }) => isWithinMedia)
  if (query) add('media-query', query.line)
  if (query && rules.some(({ isWithinMedia }) => !isWithinMedia)) add('media-query-mixed', query.line)
  const link = rules.find(({ selector }) => /(?:^|[\s,])a(?::link)?\s*(?:,|$)/.test(selector))
  const visited = rules.find(({ selector }) => selector.includes(':visited'))
  if (link?.declarations.has('color') && (!visited || colourOf(visited) === colourOf(link)))
    add('visited-alike', link.line)
  return marks
}

const colourOf = ({ declarations }: StyleRule): string | undefined => declarations.get('color')

/** Whether a tenth of a style or script, and more than 200 characters, would be gone if nobody had to read it. */
export function isUnminified(text: string): boolean {
  const room = text.match(/\n[ \t]*|[ \t]{2,}/g)?.reduce((sum, each) => sum + each.length, 0) ?? 0
  return room > 200 && room * 10 > text.length
}

function* rulesOf(css: string): Generator<StyleRule> {
  let start = 0
  let line = 1
  let counted = 0
  let count = 0
  const around: string[] = []
  const lineAt = (at: number): number => {
    for (; counted < at; counted += 1) if (css[counted] === '\n') line += 1
    return line
  }
  const token = /\/\*|["'{}]/g
  for (let match = token.exec(css); match !== null && count < limits.rules; match = token.exec(css)) {
    const [found] = match
    if (found === '/*' || found === '"' || found === "'") {
      const end = css.indexOf(found === '/*' ? '*/' : found, token.lastIndex)
      if (end < 0) return
      token.lastIndex = end + (found === '/*' ? 2 : 1)
      continue
    }
    const text = css.slice(start, Math.min(match.index, start + limits.text))
    if (found === '{') around.push(selectorIn(text))
    else {
      const selector = around.pop()
      if (selector !== undefined && !selector.startsWith('@')) {
        count += 1
        const isWithinMedia = around.some(each => each.startsWith('@media'))
        yield { selector, declarations: declarationsIn(text), line: lineAt(match.index), isWithinMedia }
      }
    }
    start = token.lastIndex
  }
}

const selectorIn = (text: string): string =>
  bare(text)
    .slice(bare(text).lastIndexOf(';') + 1)
    .trim()
    .toLowerCase()

/** Without comments. */
function bare(text: string): string {
  let rest = text
  for (let start = rest.indexOf('/*'); start >= 0; start = rest.indexOf('/*')) {
    const end = rest.indexOf('*/', start + 2)
    rest = rest.slice(0, start) + (end < 0 ? '' : rest.slice(end + 2))
  }
  return rest
}

const declarationsIn = (text: string): Map<string, string> =>
  new Map(
    bare(text)
      .split(';')
      .flatMap(each => {
        const colon = each.indexOf(':')
        if (colon < 0) return []
        const value = each.slice(colon + 1).replace(/!important/i, '')
        return [[each.slice(0, colon).trim().toLowerCase(), value.trim().toLowerCase()] as const]
      }),
  )

function marksOf({ selector, declarations }: StyleRule): StyleMark[] {
  const of = (name: string): string => declarations.get(name) ?? ''
  const isOfLink = /(?:^|[\s,>])a(?:$|[\s:.,[#])/.test(selector)
  const decoration = `${of('text-decoration')} ${of('text-decoration-line')}`
  const background = of('background-color') || of('background')
  const isBlack = /^(?:black|#000(?:000)?|rgb\(0,\s?0,\s?0\))$/.test(of('color'))
  const families = of('font-family')
  const isGenerated = /::?(?:before|after)/.test(selector) && /["'][^"']*\p{L}{2}/u.test(of('content'))
  const contrast = contrastOf(of('color'), background)
  const found: readonly (readonly [StyleMark, boolean])[] = [
    ['justified', of('text-align') === 'justify'],
    ['underlined', decoration.includes('underline') && !isOfLink],
    ['hidden', of('display') === 'none' || of('visibility') === 'hidden'],
    ['generated-text', isGenerated],
    ['background-image', `${of('background')} ${of('background-image')}`.includes('url(')],
    ['size-fixed', /\d(?:px|pt)\b/.test(of('font-size'))],
    ['black-text', isBlack && /(?:^|[\s,])(?:html|body|p|div|\*)(?:$|[\s,])/.test(selector)],
    ['font-of-one-family', families !== '' && !families.includes(',') && !generic.test(families)],
    ['uppercase', of('text-transform') === 'uppercase'],
    ['positioned', /^(?:absolute|fixed|sticky)$/.test(of('position'))],
    ['animation', /[a-z]/.test(`${of('animation')}${of('animation-name')}`.replace('none', ''))],
    [
      'html5-block',
      of('display') === 'block' &&
        /(?:^|[\s,])(?:section|figure|aside|article|nav|header|footer)\b/.test(selector),
    ],
    [
      'link-like-text',
      isOfLink &&
        decoration.includes('none') &&
        /^(?:inherit|currentcolor|black|#000(?:000)?|)$/.test(of('color')) &&
        !declarations.has('font-weight') &&
        ![...declarations.keys()].some(name => name.startsWith('border')),
    ],
    ['low-contrast', contrast !== undefined && contrast < 3],
  ]
  return found.flatMap(([mark, isThere]) => (isThere ? [mark] : []))
}

const generic = /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|inherit|initial|unset)$/

/** The contrast of two colours as WCAG counts it; undefined where one of them is not known. */
function contrastOf(one: string, other: string): number | undefined {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  if (a === undefined || b === undefined) return undefined
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf(colour: string): number | undefined {
  const parts = partsOf(colour)
  if (parts === undefined) return undefined
  const [red = 0, green = 0, blue = 0] = parts.map(part => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const named: Readonly<Record<string, string>> = {
  ...{ black: '#000', white: '#fff', red: '#f00', blue: '#00f', green: '#008000', yellow: '#ff0' },
  ...{ gray: '#808080', grey: '#808080', silver: '#c0c0c0', lightgray: '#d3d3d3', lightgrey: '#d3d3d3' },
}

function partsOf(colour: string): number[] | undefined {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(named[colour] ?? colour)?.[1]
  if (hex !== undefined) {
    const digits = hex.length === 3 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? [])
    return digits.map(pair => Number.parseInt(pair, 16))
  }
  const rgb = /^rgb\(\s?(\d{1,3})\s?,\s?(\d{1,3})\s?,\s?(\d{1,3})\s?\)$/.exec(colour)
  return rgb ? rgb.slice(1).map(Number) : undefined
}
