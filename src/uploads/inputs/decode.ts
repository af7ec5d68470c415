import { UsageFailure } from '../../system/errors.ts'
import { type ChunkDecoder, chunkDecoder } from '../../system/text-decoder.ts'
import type { Source } from './source.ts'

/** Bytes that are no text in the encoding. */
export class Undecodable extends Error {
  /** The line of the first such byte, from 1. */
  readonly line: number

  constructor(line: number) {
    super('these bytes are no text in the encoding')
    this.line = line
  }
}

/** The text of a source in pieces. Throws Undecodable, which names the line, for bytes that the encoding does not have. */
export async function* decodedText({ chunks }: Source, decoder: ChunkDecoder): AsyncGenerator<string> {
  let line = 1
  const decode = (bytes: Uint8Array, isMore: boolean): string => {
    try {
      return decoder.decode(bytes, isMore)
    } catch {
      const text = chunkDecoder(decoder.encoding, { isLenient: true })?.decode(bytes) ?? ''
      throw new Undecodable(line + lineEnds(text.slice(0, Math.max(text.indexOf('\ufffd'), 0))))
    }
  }
  for await (const chunk of chunks) {
    const text = decode(chunk, true)
    yield text
    line += lineEnds(text)
  }
  yield decode(new Uint8Array(), false)
}

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The decoder for the encoding that the user named. Throws UsageFailure for an unknown name. */
export function decoderOf(name: string): ChunkDecoder {
  const decoder = chunkDecoder(name)
  if (decoder) return decoder
  throw new UsageFailure(`--encoding: "${name}" is not the name of an encoding`, {
    hint: 'Use utf-8, utf-16le, windows-1252 or another name of the Encoding Standard.',
  })
}
