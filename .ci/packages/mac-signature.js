// Signs programs of macOS ad hoc, which is without an identity, as `codesign --sign -` does: Apple's processors run nothing that has
// no signature. It is the hash of each page of the file, so whoever changes the program has to sign it again.
//
// https://github.com/apple-oss-distributions/xnu/blob/main/osfmk/kern/cs_blobs.h
import { createHash } from 'node:crypto'

const headerSize = 32
const command = { segment: 0x19, signature: 0x1d }
const signatureCommandSize = 16
const pageBits = 12
/** What a page of memory has at most, by which macOS rounds the size of a segment. */
const memoryPage = 0x4000
const hashSize = 32
const directorySize = 88

/** A program without its signature, to be changed and signed again. */
export function withoutSignature(/** @type {Buffer} */ program) {
  const found = commandsOf(program).find(({ kind }) => kind === command.signature)
  if (found === undefined) return program
  const start = program.readUInt32LE(found.at + 8)
  const unsigned = Buffer.from(program.subarray(0, start))
  const [count, size] = [unsigned.readUInt32LE(16), unsigned.readUInt32LE(20)]
  const end = headerSize + size
  if (found.at + found.size !== end) throw new Error('the signature is not the last command of the program')
  unsigned.fill(0, found.at, end)
  unsigned.writeUInt32LE(count - 1, 16)
  unsigned.writeUInt32LE(size - found.size, 20)
  endLinksAt(unsigned, start)
  return unsigned
}

/** A program that has no signature, signed ad hoc by this name. */
export function signed(/** @type {Buffer} */ program, /** @type {string} */ identifier) {
  const start = Math.ceil(program.length / 16) * 16
  const name = Buffer.from(`${identifier}\0`)
  const pages = Math.ceil(start / 2 ** pageBits)
  const length = 20 + directorySize + name.length + pages * hashSize
  // Tools that sign leave some room.
  const room = Math.ceil(length / 16) * 16
  const result = Buffer.concat([program, Buffer.alloc(start - program.length + room)])
  addCommand(result, start, room)
  endLinksAt(result, start + room)

  const text = segmentsOf(result).find(segment => segment.name === '__TEXT')
  if (text === undefined) throw new Error('the program has no code')
  const directory = result.subarray(start + 20)
  // One entry, which is the directory of the code, and where it starts.
  writeAll(result, start, [0xfade0cc0, length, 1, 0, 20])
  const hashes = directorySize + name.length
  writeAll(directory, 0, [
    0xfade0c02,
    length - 20,
    0x20400,
    flags.adHoc,
    hashes,
    directorySize,
    0,
    pages,
    start,
  ])
  directory.set([hashSize, sha256Kind, 0, pageBits], 36)
  directory.writeBigUInt64BE(BigInt(text.fileOffset), 64)
  directory.writeBigUInt64BE(BigInt(text.fileSize), 72)
  directory.writeBigUInt64BE(mainProgram, 80)
  directory.set(name, directorySize)
  for (let page = 0; page < pages; page++) {
    const content = result.subarray(page << pageBits, Math.min((page + 1) << pageBits, start))
    directory.set(createHash('sha256').update(content).digest(), hashes + page * hashSize)
  }
  return result
}

const flags = { adHoc: 2 }
const sha256Kind = 2
const mainProgram = 1n

function writeAll(/** @type {Buffer} */ bytes, /** @type {number} */ at, /** @type {number[]} */ values) {
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, at + 4 * index)
}

/** Adds the command that says where the signature is, in the room before the code. */
function addCommand(/** @type {Buffer} */ program, /** @type {number} */ start, /** @type {number} */ size) {
  const [count, sizeOfAll] = [program.readUInt32LE(16), program.readUInt32LE(20)]
  const at = headerSize + sizeOfAll
  if (program.subarray(at, at + signatureCommandSize).some(byte => byte !== 0))
    throw new Error('the program has no room for a signature')
  program.writeUInt32LE(count + 1, 16)
  program.writeUInt32LE(sizeOfAll + signatureCommandSize, 20)
  for (const [index, value] of [command.signature, signatureCommandSize, start, size].entries())
    program.writeUInt32LE(value, at + 4 * index)
}

/** The last segment, which is for who links and checks the program, holds the signature too. */
function endLinksAt(/** @type {Buffer} */ program, /** @type {number} */ end) {
  const links = segmentsOf(program).find(({ name }) => name === '__LINKEDIT')
  if (links === undefined) throw new Error('the program has no segment for its signature')
  const size = end - links.fileOffset
  program.writeBigUInt64LE(BigInt(Math.ceil(size / memoryPage) * memoryPage), links.at + 32)
  program.writeBigUInt64LE(BigInt(size), links.at + 48)
}

function segmentsOf(/** @type {Buffer} */ program) {
  return commandsOf(program)
    .filter(({ kind }) => kind === command.segment)
    .map(({ at }) => ({
      at,
      name: program.toString('latin1', at + 8, at + 24).replace(/\0+$/, ''),
      fileOffset: Number(program.readBigUInt64LE(at + 40)),
      fileSize: Number(program.readBigUInt64LE(at + 48)),
    }))
}

function commandsOf(/** @type {Buffer} */ program) {
  if (program.readUInt32LE(0) !== 0xfeedfacf) throw new Error('it is no program of macOS for one processor')
  const found = []
  let at = headerSize
  for (let left = program.readUInt32LE(16); left > 0; left--) {
    const [kind, size] = [program.readUInt32LE(at), program.readUInt32LE(at + 4)]
    found.push({ at, kind, size })
    at += size
  }
  return found
}
