import type { OpenFile } from '../system/open-file.ts'

/** How many bytes at the end of a file are searched. */
const searched = 1024 * 1024

const end = {
  signature: Buffer.from('PK\x05\x06', 'latin1'),
  bytes: 22,
  size: 12,
  offset: 16,
  commentLength: 20,
}

/** Where a zip ends that other bytes follow; undefined where none ends near the end of the file. */
export async function endOfZip(source: OpenFile): Promise<number | undefined> {
  const tail = Buffer.alloc(Math.min(searched, source.bytes))
  const start = source.bytes - tail.length
  await source.read(tail, start)
  let at = tail.lastIndexOf(end.signature)
  while (at >= 0) {
    const after =
      at + end.bytes <= tail.length ? at + end.bytes + tail.readUInt16LE(at + end.commentLength) : Infinity
    // A zip of more than 4 GiB has its offset elsewhere.
    const isBefore = () =>
      tail.readUInt32LE(at + end.offset) === 0xffffffff ||
      tail.readUInt32LE(at + end.offset) + tail.readUInt32LE(at + end.size) <= start + at
    if (after < tail.length && isBefore()) return start + after
    at = at === 0 ? -1 : tail.lastIndexOf(end.signature, at - 1)
  }
  return undefined
}
