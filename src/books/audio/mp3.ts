import type { ReadAt } from './window.ts'

interface FrameHead {
  readonly bytes: number
  readonly seconds: number
  readonly isMono: boolean
  readonly isVersion1: boolean
  /** The bits that all frames of a file have in common. */
  readonly kind: number
}

/** In kbit/s, by the number in the header, for the layers I, II and III. */
const rates1 = [
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
] as const
const later = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const
const rates2 = [[32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256], later, later] as const
const frequencies = [44_100, 48_000, 32_000] as const

/** Reads the header of a frame of MPEG audio; undefined if there is none. */
function frameHead(bytes: Buffer): FrameHead | undefined {
  if (bytes.length < 4 || bytes[0] !== 0xff || ((bytes[1] ?? 0) & 0xe0) !== 0xe0) return undefined
  const [, second = 0, third = 0, fourth = 0] = bytes
  const version = (second >> 3) & 3
  const layer = 4 - ((second >> 1) & 3)
  const base = frequencies[(third >> 2) & 3]
  const rate = (version === 3 ? rates1 : rates2)[layer - 1]?.[(third >> 4) - 1]
  if (version === 1 || layer === 4 || base === undefined || rate === undefined) return undefined
  const frequency = base / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152
  const slot = layer === 1 ? 4 : 1
  const slots = Math.floor((samples / 8 / slot) * ((rate * 1000) / frequency)) + ((third >> 1) & 1)
  return {
    bytes: slots * slot,
    seconds: samples / frequency,
    isMono: fourth >> 6 === 3,
    isVersion1: version === 3,
    kind: (second & 0xfe) * 256 + (third & 0x0c),
  }
}

/**
 * The playing time of MPEG audio in seconds, counted frame by frame: what encoders write at the beginning may be wrong or
 * missing. Undefined if there is none. `start` is where it begins after a tag.
 */
export async function mp3Seconds(readAt: ReadAt, start: number, bytes: number): Promise<number | undefined> {
  let seconds = 0
  let frames = 0
  let kind: number | undefined
  let at = start
  while (at + 4 <= bytes) {
    const head = frameHead(await readAt(at, 4))
    const isNext = head !== undefined && (kind === undefined || head.kind === kind)
    // Other data may look like a frame: where the row is broken, another one has to follow.
    if (!isNext || (kind === undefined && !(await isFollowed(readAt, at, head, bytes)))) {
      kind = undefined
      at = await nextSync(readAt, at + 1, bytes)
      continue
    }
    if (frames > 0 || !(await isTable(readAt, at, head))) seconds += head.seconds
    frames += 1
    kind = head.kind
    at += head.bytes
  }
  return frames === 0 ? undefined : seconds
}

async function isFollowed(readAt: ReadAt, at: number, head: FrameHead, bytes: number): Promise<boolean> {
  const next = at + head.bytes
  if (next === bytes) return true
  return (
    frameHead(await readAt(next, 4))?.kind === head.kind ||
    (await readAt(next, 3)).toString('latin1') === 'TAG'
  )
}

/** Whether the first frame is a table of the others, which is not played. */
async function isTable(readAt: ReadAt, at: number, { isVersion1, isMono }: FrameHead): Promise<boolean> {
  const side = isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17
  const start = (await readAt(at, 44)).toString('latin1')
  return /^(?:Xing|Info)/.test(start.slice(4 + side)) || start.startsWith('VBRI', 36)
}

/** Where the next frame may begin, or the end of the file. */
async function nextSync(readAt: ReadAt, from: number, bytes: number): Promise<number> {
  const step = 16 * 1024
  for (let at = from; at < bytes; at += step) {
    const found = (await readAt(at, step)).indexOf(0xff)
    if (found >= 0) return at + found
  }
  return bytes
}
