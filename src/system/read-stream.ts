import type { Readable } from 'node:stream'

/** The whole text of a stream, such as standard input. */
export async function readStream(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}
