import type { Random } from '../random.ts'
import { bytes } from './bytes.ts'
import { bytesOf, type Format, textOf, without } from './format.ts'
import { oddTexts } from './odd-values.ts'

/** The objects of a PDF, and what stands between them. */
const objectsOf = (text: string): string[] => text.split(/(?=^\d+ \d+ obj\b)|(?<=^endobj\n)/m)
/** Names, numbers, references, brackets and what is in parentheses. */
const tokensOf = (text: string): string[] =>
  text.match(/\d+ \d+ R\b|\/[\w.#-]*|<<|>>|[[\]]|\([^)]*\)|[-+.\d]+|\s+|[^\s/<>[\]()]+|./g) ?? []

type Change = (tokens: string[], at: number, random: Random, other: readonly string[]) => void

const numbers = ['0', '-1', '1e9', '99999999999', '0.5', '2147483648', '65536']
const parts = [
  '[',
  ']',
  '<<',
  '>>',
  'null',
  'true',
  '()',
  '<>',
  '/',
  '%',
  'stream\n',
  'endstream',
  'endobj',
  '1 0 R',
  '3 0 R',
  '99 0 R',
]

/** The token of a kind that comes next. */
const next = (tokens: readonly string[], at: number, kind: RegExp): number => {
  const found = tokens.findIndex((token, index) => index >= at && kind.test(token))
  return found === -1 ? tokens.findIndex(token => kind.test(token)) : found
}

const onKind =
  (kind: RegExp, change: (token: string, random: Random, tokens: readonly string[]) => string): Change =>
  (tokens, at, random) => {
    const chosen = next(tokens, at, kind)
    if (chosen !== -1) tokens[chosen] = change(tokens[chosen] as string, random, tokens)
  }

const changes: readonly Change[] = [
  onKind(/^[-+.\d]+$/, (_, random) => random.pick(numbers)),
  onKind(/ R$/, (_, random, tokens) => random.pick(tokens.filter(token => / R$/.test(token)))),
  onKind(/^\/\w/, (_, random, tokens) => random.pick(tokens.filter(token => token.startsWith('/')))),
  onKind(/^\(/, (_, random) => `(${textOf(Buffer.from(random.pick(oddTexts)))})`),
  onKind(
    /^\(/,
    (_, random) => `<feff${Buffer.from(random.pick(oddTexts), 'utf16le').swap16().toString('hex')}>`,
  ),
  onKind(/./, () => ''),
  onKind(/./, (token, random) => token.repeat(random.once(3) ? 500 : 2)),
  onKind(/./, (_, random) => random.pick(parts)),
  onKind(/./, (token, random) => `${token} ${random.pick(parts)} `),
  (tokens, at, random, other) => {
    const from = random.below(other.length)
    tokens.splice(at, 0, ...other.slice(from, from + 1 + random.below(12)))
  },
]

/** PDFs: objects are left out, repeated and moved; their numbers, names, texts and references are changed. */
export const pdf: Format = {
  mutate(input, random, other) {
    if (random.once(12)) return bytes.mutate(input, random, other)
    if (random.once(5)) {
      const objects = objectsOf(textOf(input))
      const at = random.below(objects.length)
      const [moved = ''] = objects.splice(at, random.below(2))
      objects.splice(
        random.below(objects.length),
        0,
        random.once(2) ? moved : random.pick(objectsOf(textOf(other))),
      )
      return bytesOf(objects.join(''))
    }
    const tokens = tokensOf(textOf(input))
    random.pick(changes)(tokens, random.below(tokens.length + 1), random, tokensOf(textOf(other)))
    return bytesOf(tokens.join(''))
  },
  *smaller(input) {
    for (const rest of without(objectsOf(textOf(input)))) yield bytesOf(rest.join(''))
    for (const rest of without(tokensOf(textOf(input)))) yield bytesOf(rest.join(''))
  },
}
