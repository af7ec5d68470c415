import { bytes } from './bytes.ts'
import { bytesOf, type Format, textOf, without } from './format.ts'
import { json } from './json.ts'

const linesOf = (input: Buffer): string[] => textOf(input).split('\n')
const joined = (lines: readonly string[]): Buffer => bytesOf(lines.join('\n'))

/** NDJSON: lines are left out, repeated and moved, and what stands in one is changed as JSON. */
export const lines: Format = {
  mutate(input, random, other) {
    if (random.once(12)) return bytes.mutate(input, random, other)
    const all = linesOf(input)
    const at = random.below(all.length)
    const line = all[at] ?? ''
    const foreign = random.pick(linesOf(other))
    switch (random.below(10)) {
      case 0:
        all.splice(at, 1)
        break
      case 1:
        all.splice(at, 0, line)
        break
      case 2:
        all.splice(at, 0, foreign)
        break
      case 3:
        all.splice(at, 1)
        all.splice(random.below(all.length + 1), 0, line)
        break
      default:
        all[at] = textOf(json.mutate(bytesOf(line), random, bytesOf(foreign)))
    }
    return joined(all)
  },
  *smaller(input) {
    const all = linesOf(input)
    for (const rest of without(all)) yield joined(rest)
    for (const [at, line] of all.entries())
      for (const less of json.smaller(bytesOf(line))) yield joined(all.with(at, textOf(less)))
  },
}
