import type { Readable } from 'node:stream'
import { textOfBytes } from './byte-order-mark.ts'

/** The whole text of a stream, such as standard input. */
export async function readStream(stream: Readable): Promise<string> {
  const parts: Buffer[] = []
  for await (const chunk of stream) parts.push(Buffer.from(chunk))
  return textOfBytes(Buffer.concat(parts))
}
