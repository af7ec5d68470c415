import type { Random } from '../random.ts'

/** How inputs of one kind are changed and made smaller. Bytes are handled as Latin-1, which keeps each of them as it is. */
export interface Format {
  /** A changed input; `other` is one of the same reader, of which parts may be taken. */
  mutate(input: Buffer, random: Random, other: Buffer): Buffer
  /** Smaller versions of an input, those that leave out most first. */
  smaller(input: Buffer): Generator<Buffer>
}

export const textOf = (bytes: Buffer): string => bytes.toString('latin1')
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

/** What is left of a list when some neighbours of it are left out: half of it, then quarters, down to one. */
export function* without<T>(parts: readonly T[]): Generator<T[]> {
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < parts.length; start += size) {
      yield [...parts.slice(0, start), ...parts.slice(start + size)]
    }
  }
}
