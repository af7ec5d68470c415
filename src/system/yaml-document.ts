import { type Document, LineCounter, type ParseOptions, parseDocument, type SchemaOptions } from 'yaml'

/** A YAML or JSON text as it was read. */
interface YamlDocument {
  readonly document: Document.Parsed
  /** Where an offset is: `line 3, column 8`. */
  readonly placeOf: (offset: number) => string
  /** What is wrong first, in words for whoever wrote the text, and where. */
  readonly fault: { readonly says: string; readonly place: string } | undefined
}

/** Reads a YAML or JSON text. Throws what the parser throws where it gives up. */
export function readYaml(text: string, options: ParseOptions & SchemaOptions = {}): YamlDocument {
  const lineCounter = new LineCounter()
  const placeOf = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset)
    return `line ${line}, column ${col}`
  }
  // A prettier message is made for each of thousands of errors, and looks at the whole line each time.
  const document = parseDocument(text, { ...options, lineCounter, prettyErrors: false })
  const [error] = document.errors
  return {
    document,
    placeOf,
    fault: error && { says: yamlErrorText(error), place: placeOf(error.pos[0]) },
  }
}

/** What an error of the parser, or of what was read, means to whoever wrote the text. */
export function yamlErrorText({
  code,
  message,
}: {
  readonly code?: string
  readonly message: string
}): string {
  if (code === 'MULTIPLE_DOCS') return 'there is more than one document in it'
  // The parser calls itself for each level, and passes on what the system says of that.
  return message.includes('call stack') ? 'it is nested too deeply' : message
}
