import {
  Composer,
  type CST,
  type Document,
  Lexer,
  LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
} from 'yaml'

/** A YAML or JSON text as it was read. */
interface YamlDocument {
  readonly document: Document.Parsed
  /** Where an offset is: `line 3, column 8`. */
  readonly placeOf: (offset: number) => string
  /** What is wrong first, in words for whoever wrote the text, and where. */
  readonly fault: { readonly says: string; readonly place: string } | undefined
}

/**
 * The most levels that lists and maps may be nested in. The parser calls itself for each level, and V8 ends the process where the
 * stack is full as a regular expression is compiled.
 */
const deepest = 100

/** Reads a YAML or JSON text. Throws what the parser throws where it gives up, and for a text that is nested too deeply. */
export function readYaml(text: string, options: ParseOptions & SchemaOptions = {}): YamlDocument {
  const lineCounter = new LineCounter()
  const placeOf = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset)
    return `line ${line}, column ${col}`
  }
  const composer = new Composer(options)
  const documents = composer.compose(tokensOf(text, lineCounter, placeOf), true, text.length)
  // There is one in an empty text, too.
  const document = documents.next().value as Document.Parsed
  const further = documents.next()
  const [error] = document.errors
  const faultAt = (offset: number, says: string) => ({
    document,
    placeOf,
    fault: { says, place: placeOf(offset) },
  })
  if (error) return faultAt(error.pos[0], yamlErrorText(error))
  if (!further.done) return faultAt(further.value.range[0], 'there is more than one document in it')
  return { document, placeOf, fault: undefined }
}

/** How many lists and maps are open; the document and a text within them are not counted. */
const levelsOf = (open: readonly CST.Token[]): number =>
  open.filter(({ type }) => ['block-map', 'block-seq', 'flow-collection'].includes(type)).length

/** The parts of a text, each of which has all that is nested in it. */
function* tokensOf(
  text: string,
  lines: LineCounter,
  placeOf: (offset: number) => string,
): Generator<CST.Token> {
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > deepest && levelsOf(parser.stack) > deepest)
      throw new Error(`it is nested too deeply: ${placeOf(parser.offset)}`)
  }
  yield* parser.end()
}

/** What an error of the parser, or of what was read, means to whoever wrote the text. */
export const yamlErrorText = ({ message }: Pick<Error, 'message'>): string =>
  // A value calls itself for each level of what its aliases stand for, and passes on what the system says of that.
  message.includes('call stack') ? 'it is nested too deeply' : message
