/** Where the table of certificates is in the header of a program of 64 bits. */
const certificates = 112 + 4 * 8

/** A program of Windows without its signature, which is the end of the file: it would not be that of what is put into the program. */
export function withoutSignature(/** @type {Buffer} */ program) {
  const header = program.readUInt32LE(0x3c) + 24
  const [start, size] = [
    program.readUInt32LE(header + certificates),
    program.readUInt32LE(header + certificates + 4),
  ]
  if (start === 0) return program
  if (start + size !== program.length) throw new Error('the signature is not at the end of the program')
  const unsigned = Buffer.from(program.subarray(0, start))
  unsigned.fill(0, header + certificates, header + certificates + 8)
  return unsigned
}
