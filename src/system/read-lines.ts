/** A line of a file, without its line break. */
export interface Line {
  /** Undefined if it is longer than the limit. */
  readonly bytes: Buffer | undefined
  /** Counted from 1. */
  readonly number: number
  /** Where it begins in the file. */
  readonly offset: number
}

const chunkSize = 256 * 1024

/** Fills a buffer with what stands at a position of a file; gives how many bytes there were. */
type Read = (into: Buffer, position: number) => Promise<number>

/** The lines of a file, one after the other. A line of more than `most` bytes is the last one, and has no bytes. */
export async function* readLines(read: Read, most: number): AsyncGenerator<Line> {
  const chunk = Buffer.allocUnsafe(chunkSize)
  let parts: Buffer[] = []
  let [number, offset, length] = [1, 0, 0]
  for (let position = 0; ; ) {
    const bytesRead = await read(chunk, position)
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1 && end < bytesRead; end = chunk.indexOf(10, start)) {
      const bytes = Buffer.concat([...parts, chunk.subarray(start, end)])
      yield { bytes: bytes.length > most ? undefined : bytes, number, offset }
      if (bytes.length > most) return
      parts = []
      length = 0
      number++
      start = end + 1
      offset = position + start
    }
    if (bytesRead === 0) break
    parts.push(Buffer.from(chunk.subarray(start, bytesRead)))
    length += bytesRead - start
    position += bytesRead
    if (length > most) return yield { bytes: undefined, number, offset }
  }
  if (length > 0) yield { bytes: Buffer.concat(parts), number, offset }
}
