import { encodingOfXml } from '../../books/decode.ts'
import { chunkDecoder } from '../../system/text-decoder.ts'
import { decodedText, Undecodable } from '../../uploads/inputs/decode.ts'
import type { Source } from '../../uploads/inputs/source.ts'
import { badMessage, XmlFault } from './bad-message.ts'
import type { OnixName } from './names.ts'
import { type OnixRecord, recordParser } from './record-parser.ts'

/**
 * The records of an ONIX 3.0 or 3.1 message, one by one. Throws UsageFailure `bad_onix` when it comes to something that makes
 * the whole message unusable, such as its end in the middle of a record; records that were given before must then not be
 * used. Nothing that the message points to is opened. Everything within the elements in `kept` is read.
 */
export async function* readMessage(
  source: Source,
  kept: readonly OnixName[] = [],
): AsyncGenerator<OnixRecord> {
  const { path, start } = source
  if (start.length === 0) throw badMessage(path, 'is empty', 'Export it again.')
  const encoding = encodingOfXml(start)
  const decoder = chunkDecoder(encoding)
  if (decoder === undefined) {
    throw badMessage(
      path,
      `declares the encoding "${encoding}", which is not known`,
      'Export the message as UTF-8.',
    )
  }
  const parser = recordParser(kept)
  try {
    for await (const text of decodedText(source, decoder)) yield* parser.write(text)
    yield* parser.end()
  } catch (error) {
    if (error instanceof Undecodable) {
      throw badMessage(
        path,
        `has bytes that are not ${decoder.encoding.toUpperCase()} text: line ${error.line}`,
        'Its encoding has to be the one that its first line declares.',
      )
    }
    if (!(error instanceof XmlFault)) throw error
    throw badMessage(
      path,
      `cannot be used: ${error.message}: line ${parser.line - error.linesBack}`,
      error.hint,
    )
  }
}
