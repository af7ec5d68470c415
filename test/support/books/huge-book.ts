import { open } from 'node:fs/promises'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'

/**
 * Writes an EPUB that holds one more entry, of so many zero bytes, as a hole that takes no room on the disk. The book is
 * below 4 GiB, so that the zip needs no 64-bit records.
 */
export async function writeHugeBook(path: string, zeros: number): Promise<void> {
  const book = await makeExampleEpub({ title: 'A Very Large Book' })
  const end = book.length - 22
  const [count, directorySize, directoryStart] = [
    book.readUInt16LE(end + 10),
    book.readUInt32LE(end + 12),
    book.readUInt32LE(end + 16),
  ]
  const name = Buffer.from('EPUB/zeros.bin')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  local.writeUInt32LE(zeros, 18)
  local.writeUInt32LE(zeros, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(20, 4)
  central.writeUInt16LE(20, 6)
  central.writeUInt32LE(zeros, 20)
  central.writeUInt32LE(zeros, 24)
  central.writeUInt16LE(name.length, 28)
  central.writeUInt32LE(directoryStart, 42)

  const newStart = directoryStart + local.length + name.length + zeros
  const tail = Buffer.from(book.subarray(end))
  tail.writeUInt16LE(count + 1, 8)
  tail.writeUInt16LE(count + 1, 10)
  tail.writeUInt32LE(directorySize + central.length + name.length, 12)
  tail.writeUInt32LE(newStart, 16)

  const file = await open(path, 'w')
  try {
    await file.write(book.subarray(0, directoryStart), 0, undefined, 0)
    await file.write(Buffer.concat([local, name]), 0, undefined, directoryStart)
    const directory = book.subarray(directoryStart, directoryStart + directorySize)
    await file.write(Buffer.concat([directory, central, name, tail]), 0, undefined, newStart)
  } finally {
    await file.close()
  }
}
