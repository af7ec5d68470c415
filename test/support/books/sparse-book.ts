import { type RawEntry, rawZip } from './hostile-zip.ts'
import { packageOf } from './package-document.ts'

interface Target {
  write(bytes: Buffer, at: number): void
  resize(size: number): void
}

const gibibyte = 2 ** 30

/** Writes an EPUB of 4.8 GiB that takes no room on disk: four entries of it are holes in the file. */
export function sparseBook({ write, resize }: Target): void {
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02X\0\0\x03\x84IEND', 'latin1')
  const container = `<container><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
  const nav = `<html xmlns:epub="http://www.idpf.org/2007/ops"><nav epub:type="toc"><ol><li><a>One</a></li></ol></nav></html>`
  const document = packageOf({
    metadata: '<dc:title>A Large Book</dc:title><dc:creator>A Name</dc:creator><dc:language>en</dc:language>',
    manifest: '<item id="c" href="c.png" media-type="image/png" properties="cover-image"/>',
  })
  const small: RawEntry[] = [
    { name: 'mimetype', content: 'application/epub+zip' },
    { name: 'META-INF/container.xml', content: container },
    { name: 'EPUB/package.opf', content: document },
    { name: 'EPUB/nav.xhtml', content: nav },
    { name: 'EPUB/one.xhtml', content: '<html/>' },
    { name: 'EPUB/c.png', content: png },
  ]
  const hole = Math.round(1.2 * gibibyte)
  const zip = rawZip(small)
  const directoryAt = zip.readUInt32LE(zip.length - 6)
  const directories = [zip.subarray(directoryAt, -22)]
  write(zip.subarray(0, directoryAt), 0)
  let offset = directoryAt
  for (let index = 0; index < 4; index += 1) {
    const one = rawZip([
      { name: `EPUB/film-${index}.mp4`, content: '', claims: { size: hole, compressedSize: hole } },
    ])
    const at = one.readUInt32LE(one.length - 6)
    const entry = Buffer.from(one.subarray(at, -22))
    entry.writeUInt32LE(offset, 42)
    directories.push(entry)
    write(one.subarray(0, at), offset)
    offset += at + hole
  }
  const directory = Buffer.concat(directories)
  write(Buffer.concat([directory, endOf(offset, directory.length, small.length + 4)]), offset)
  resize(offset + directory.length + 56 + 20 + 22)
}

/** The three records that end a zip whose directory lies beyond 4 GiB. */
function endOf(directoryAt: number, size: number, count: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22)
  end.write('PK\x06\x06', 0, 'latin1')
  end.writeBigUInt64LE(44n, 4)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(directoryAt), 48)
  end.write('PK\x06\x07', 56, 'latin1')
  end.writeBigUInt64LE(BigInt(directoryAt + size), 64)
  end.writeUInt32LE(1, 72)
  end.write('PK\x05\x06', 76, 'latin1')
  end.writeUInt16LE(count, 84)
  end.writeUInt16LE(count, 86)
  end.writeUInt32LE(size, 88)
  end.writeUInt32LE(0xffffffff, 92)
  return end
}
