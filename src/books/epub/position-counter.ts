import type { ExactPosition } from '../position.ts'
import { byteOf, codeUnitsOf } from './markup-bytes.ts'

/** Counts lines and columns in the bytes of a page, each time from the place that was asked for last. */
export class PositionCounter {
  readonly #page: Buffer
  #at: number
  #line = 1
  #column = 1

  /** The first line begins at `begins`. */
  constructor(page: Buffer, begins: number) {
    this.#page = page
    this.#at = begins
  }

  /** The line and column of a place that is not before the last one that was asked for. */
  positionOf(place: number): ExactPosition {
    const page = this.#page
    for (; this.#at < place; this.#at += 1) {
      const byte = page[this.#at] as number
      if (
        byte === byteOf.lineFeed ||
        (byte === byteOf.carriageReturn && page[this.#at + 1] !== byteOf.lineFeed)
      ) {
        this.#line += 1
        this.#column = 1
      } else this.#column += codeUnitsOf(byte)
    }
    return { line: this.#line, column: this.#column }
  }
}
