/** A part of an MP4 file. Its content is `bytes` from `start` to `end`. */
export interface Atom {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The most atoms that are looked at within one. */
const atomLimit = 20_000

/** The atoms that follow each other in a range of bytes; one that goes beyond it ends them. */
export function atomsIn(bytes: Buffer, start: number, end: number): Atom[] {
  const found: Atom[] = []
  for (let at = start; at + 8 <= end && found.length < atomLimit; ) {
    const size = bytes.readUInt32BE(at)
    const isLong = size === 1 && at + 16 <= end
    const whole = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size === 0 ? end - at : size
    const head = isLong ? 16 : 8
    if (whole < head || whole > end - at) break
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at + head, end: at + whole })
    at += whole
  }
  return found
}

/** The first atom at a path of types, such as `mdia/minf/stbl`. */
export function atomAt(bytes: Buffer, within: Atom, path: string): Atom | undefined {
  let found: Atom | undefined = within
  for (const type of path.split('/')) {
    // Metadata has a version before its atoms, which QuickTime leaves out.
    const skipped: number =
      found?.type === 'meta' && bytes.toString('latin1', found.start + 4, found.start + 8) !== 'hdlr' ? 4 : 0
    found = found && atomsIn(bytes, found.start + skipped, found.end).find(atom => atom.type === type)
  }
  return found
}
