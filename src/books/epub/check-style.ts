import { quotedText } from '../book.ts'
import type { ProblemCode } from '../hints.ts'
import type { ExactPosition } from '../position.ts'
import { bareStyle } from './bare-style.ts'

interface StyleFault extends ExactPosition {
  code: ProblemCode
  message: string
}

/** What is wrong with a style sheet besides where it leads: one fault of each kind. */
export function styleFaults(css: string): StyleFault[] {
  const bare = bareStyle(css)
  return [charsetFault(css), emptyFault(css), syntaxFault(bare), directionFault(bare)].flatMap(fault =>
    fault ? [{ ...fault, ...positionAt(bare, fault.at) }] : [],
  )
}

type Found = { code: ProblemCode; message: string; at: number }

function charsetFault(css: string): Found | undefined {
  const charset = /^@charset\s{1,20}["']([^"']{1,40})["']/i.exec(css)?.[1]
  if (charset === undefined || /^utf-?(?:8|16)/i.test(charset)) return undefined
  return {
    code: 'encoding_wrong',
    message: `This style is in ${quotedText(charset)}, and has to be in UTF-8.`,
    at: 0,
  }
}

function emptyFault(css: string): Found | undefined {
  const at = css.search(/url\(\s{0,20}(?:""|'')?\s{0,20}\)/i)
  return at < 0 ? undefined : { code: 'reference_empty', message: 'This style has an empty address.', at }
}

/** Blocks that do not end, and declarations that are none. */
function syntaxFault(css: string): Found | undefined {
  const open: number[] = []
  let start = 0
  for (const match of css.matchAll(/[{};]/g)) {
    const at = match.index
    const [sign] = match
    if (sign === '{') open.push(at)
    else {
      if (open.length > 0) {
        const fault = declarationFault(css.slice(start, at), start)
        if (fault) return fault
      }
      if (sign === '}' && open.pop() === undefined) {
        return { code: 'style_malformed', message: 'This style ends a block that does not begin.', at }
      }
    }
    start = at + 1
  }
  const [at] = open
  return at === undefined
    ? undefined
    : {
        code: 'style_malformed',
        message: 'This style begins a block that does not end.',
        at: open.at(-1) ?? at,
      }
}

function declarationFault(text: string, start: number): Found | undefined {
  const declaration = text.trim()
  // Rules such as @apply and @include have a form of their own.
  if (declaration === '' || declaration.startsWith('@')) return undefined
  const colon = declaration.indexOf(':')
  const name = (colon < 0 ? declaration : declaration.slice(0, colon)).trim()
  if (colon >= 0 && !/[\s.]/.test(name)) return undefined
  const message = `${quotedText(declaration.slice(0, 60))} is no declaration of a style.`
  return { code: 'style_malformed', message, at: start + text.indexOf(declaration) }
}

/** The direction of a text is the page's to say, since reading systems may leave styles out. */
function directionFault(css: string): Found | undefined {
  const match = /[{;\s](direction|unicode-bidi)\s{0,20}:/i.exec(css)
  if (!match) return undefined
  const message = `This style sets ${quotedText(match[1] ?? '')}, which EPUB leaves to the page.`
  return { code: 'style_direction', message, at: match.index + 1 }
}

function positionAt(text: string, at: number): ExactPosition {
  let line = 1
  let lineBegan = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', lineBegan)) {
    line += 1
    lineBegan = next + 1
  }
  return { line, column: at - lineBegan + 1 }
}
