import { pipeline, Readable } from 'node:stream'
import { type Options, parse } from 'csv-parse'

/** The records of CSV text that arrives in pieces. What fails while the text is read is thrown here. */
export async function* parseCsv(text: AsyncGenerator<string>, options: Options): AsyncGenerator<string[]> {
  const parser = parse(options)
  // The callback is needed for the error to be passed on; the loop below throws it.
  pipeline(Readable.from(text), parser, () => {})
  for await (const record of parser) yield record as string[]
}
