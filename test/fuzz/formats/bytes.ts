import type { Random } from '../random.ts'
import { bytesOf, type Format, textOf, without } from './format.ts'
import { oddTexts } from './odd-values.ts'

type Change = (input: Buffer, random: Random, other: Buffer) => Buffer

/** A place in an input, and how much from there on. */
function rangeIn(input: Buffer, random: Random): [start: number, end: number] {
  const start = random.below(input.length + 1)
  const most = random.once(4) ? input.length - start : Math.min(32, input.length - start)
  return [start, start + random.below(most + 1)]
}

const replaced = (input: Buffer, start: number, end: number, by: Buffer): Buffer =>
  Buffer.concat([input.subarray(0, start), by, input.subarray(end)])

const integers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]

const changes: readonly Change[] = [
  (input, random) => {
    const copy = Buffer.from(input)
    for (let left = 1 + random.below(4); left > 0; left--)
      if (copy.length > 0) copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  (input, random) => {
    const bytes = random.pick([1, 2, 4])
    if (input.length < bytes) return input
    const copy = Buffer.from(input)
    const value = random.pick(integers) % 2 ** (8 * bytes)
    const at = random.below(copy.length - bytes + 1)
    if (random.once(2)) copy.writeUIntBE(value, at, bytes)
    else copy.writeUIntLE(value, at, bytes)
    return copy
  },
  (input, random) => replaced(input, ...rangeIn(input, random), Buffer.alloc(0)),
  (input, random) => input.subarray(0, random.below(input.length + 1)),
  (input, random) => {
    const [start, end] = rangeIn(input, random)
    const part = input.subarray(start, end)
    const times = random.once(4) ? 1 + random.below(2000) : 2
    return replaced(input, start, start, Buffer.concat(Array.from({ length: times }, () => part)))
  },
  (input, random) => {
    const [start] = rangeIn(input, random)
    return replaced(input, start, start, Buffer.from(random.pick(oddTexts)))
  },
  (input, random, other) => {
    const [start, end] = rangeIn(input, random)
    const [from, to] = rangeIn(other, random)
    return replaced(input, start, end, other.subarray(from, to))
  },
  (input, random) => {
    const part = Buffer.from(random.pick(oddTexts)).subarray(0, 40)
    const start = random.below(input.length + 1)
    return replaced(input, start, start + part.length, part)
  },
  input => Buffer.concat([Buffer.from('\ufeff'), input]),
  input => Buffer.from(`\ufeff${textOf(input)}`, 'utf16le'),
]

/** Anything: bytes are changed, left out, repeated and taken from others. */
export const bytes: Format = {
  mutate: (input, random, other) => random.pick(changes)(input, random, other),
  *smaller(input) {
    for (const rest of without([...textOf(input)])) yield bytesOf(rest.join(''))
  },
}
