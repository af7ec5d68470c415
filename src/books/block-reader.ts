import { RandomAccessReader } from 'yauzl'
import type { OpenFile } from '../system/open-file.ts'

const blockSize = 256 * 1024

/** Answers the many small reads of a directory from one block of the file. */
export class BlockReader extends RandomAccessReader {
  readonly #source: OpenFile
  #block = Buffer.alloc(0)
  #start = 0

  constructor(source: OpenFile) {
    super()
    this.#source = source
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytes?: number) => void,
  ): void {
    this.#fill(position, length).then(
      () =>
        done(null, this.#block.copy(into, offset, position - this.#start, position - this.#start + length)),
      done,
    )
  }

  async #fill(position: number, length: number): Promise<void> {
    if (position >= this.#start && position + length <= this.#start + this.#block.length) return
    const block = Buffer.alloc(Math.max(Math.min(blockSize, this.#source.bytes - position), length))
    const bytesRead = await this.#source.read(block, position)
    if (bytesRead < length) throw new Error('the file ends early')
    this.#block = block.subarray(0, bytesRead)
    this.#start = position
  }

  override close(done: (error: Error | null) => void): void {
    done(null)
  }
}
