/** The memory of files that are no longer needed, the oldest first. */
let spares: ArrayBuffer[] = []

/** The most that is kept, in pieces. */
const most = 16

/**
 * Gives memory for the next file. V8 counts what a thread hands to another until all garbage is collected, and collects it the sooner
 * for that: 17 times in a batch of 1,000 books of 200 kB, and twice where their memory goes round.
 */
export function giveMemory(memory: ArrayBuffer): void {
  spares.push(memory)
  if (spares.length > most) spares = spares.slice(-most)
}

/** Memory of its own for so many bytes, with whatever was in it: the smallest that was given, or new. */
export function takeMemory(bytes: number): Buffer {
  const fitting = spares.filter(({ byteLength }) => byteLength >= bytes && byteLength <= bytes * mostTimes)
  if (fitting.length === 0) return Buffer.allocUnsafeSlow(bytes)
  const memory = fitting.reduce((one, other) => (one.byteLength <= other.byteLength ? one : other))
  spares.splice(spares.indexOf(memory), 1)
  return Buffer.from(memory, 0, bytes)
}

/** How many times as large as needed it may be, so that small books do not keep the memory of large ones. */
const mostTimes = 4
