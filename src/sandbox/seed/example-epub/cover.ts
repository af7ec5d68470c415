import { crc32, deflateSync } from 'node:zlib'

const width = 600
const height = 900

const palette = [
  [0x1f, 0x3a, 0x5f],
  [0x2b, 0x4f, 0x7d],
  [0xf2, 0xe8, 0xcf],
  [0xc8, 0x55, 0x3d],
] as const

let drawn: Buffer | undefined

/** A picture for a cover as a PNG of 600 by 900 pixels: a parcel with a ribbon, rising from a field of lines. It is drawn once. */
export function exampleCover(): Buffer {
  drawn ??= draw()
  return Buffer.from(drawn)
}

function draw(): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    // The first byte of a row says that it is not filtered.
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => colourAt(x, y))]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, by palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Which of the palette's colours a pixel has. */
function colourAt(x: number, y: number): number {
  const isParcel = x >= 150 && x < 450 && y >= 220 && y < 620
  if (isParcel) return Math.abs(x - 300) < 22 || Math.abs(y - 360) < 22 ? 3 : 2
  const isArrow = y >= 90 && y < 190 && Math.abs(x - 300) < (y - 90) * 0.8
  if (isArrow) return 3
  return (x + y) % 60 < 6 && y > 680 ? 1 : 0
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
