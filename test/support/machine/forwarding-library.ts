/**
 * A library of 64-bit Windows without code, each function of which is one of another library, such as
 * `{ ProcessPrng: 'advapi32.SystemFunction036' }`. Wine 8 lacks libraries that the native packages are linked to.
 */
export function forwardingLibrary(name: string, forwards: Readonly<Record<string, string>>): Buffer {
  const exports = exportSection(name, forwards)
  const section = Buffer.alloc(align(exports.length, fileUnit))
  exports.copy(section)
  return Buffer.concat([headers(exports.length, section.length), section])
}

/** Where the section is in memory and in the file; sizes of both are multiples of such units. */
const [memoryUnit, fileUnit] = [0x1000, 0x200]

const align = (size: number, unit: number): number => Math.ceil(size / unit) * unit

/** The export directory with the tables and texts that it points to. */
function exportSection(name: string, forwards: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(forwards).sort(([one], [other]) => (one < other ? -1 : 1))
  const tables = 40 + entries.length * 10
  const directory = Buffer.alloc(tables)
  const texts: Buffer[] = []
  let end = tables
  const addressOf = (text: string): number => {
    const bytes = Buffer.from(`${text}\0`, 'latin1')
    texts.push(bytes)
    end += bytes.length
    return memoryUnit + end - bytes.length
  }
  const [functions, names, ordinals] = [40, 40 + entries.length * 4, 40 + entries.length * 8]
  directory.writeUInt32LE(addressOf(name), 12)
  // Ordinals begin at 1; there are so many functions, and so many names.
  const values = [
    1,
    entries.length,
    entries.length,
    ...[functions, names, ordinals].map(at => memoryUnit + at),
  ]
  for (const [index, value] of values.entries()) directory.writeUInt32LE(value, 16 + index * 4)
  for (const [index, [exported, target]] of entries.entries()) {
    directory.writeUInt32LE(addressOf(target), functions + index * 4)
    directory.writeUInt32LE(addressOf(exported), names + index * 4)
    directory.writeUInt16LE(index, ordinals + index * 2)
  }
  return Buffer.concat([directory, ...texts])
}

/** The headers, as Microsoft's "PE Format" gives them, of a library with one section. */
function headers(used: number, inFile: number): Buffer {
  const bytes = Buffer.alloc(fileUnit)
  const [signature, file, optional, sections] = [64, 68, 88, 328]
  bytes.write('MZ', 0)
  bytes.writeUInt32LE(signature, 60)
  bytes.write('PE\0\0', signature, 'latin1')
  bytes.writeUInt16LE(0x8664, file)
  bytes.writeUInt16LE(1, file + 2)
  bytes.writeUInt16LE(sections - optional, file + 16)
  // A library that can be run and knows large addresses.
  bytes.writeUInt16LE(0x2022, file + 18)
  bytes.writeUInt16LE(0x20b, optional)
  bytes.writeUInt32LE(inFile, optional + 8)
  bytes.writeBigUInt64LE(0x180000000n, optional + 24)
  bytes.writeUInt32LE(memoryUnit, optional + 32)
  bytes.writeUInt32LE(fileUnit, optional + 36)
  for (const version of [40, 48]) bytes.writeUInt16LE(6, optional + version)
  bytes.writeUInt32LE(memoryUnit + align(used, memoryUnit), optional + 56)
  bytes.writeUInt32LE(fileUnit, optional + 60)
  bytes.writeUInt16LE(3, optional + 68)
  bytes.writeUInt16LE(0x0100, optional + 70)
  for (const [at, size] of [
    [72, 0x100000n],
    [80, 0x1000n],
    [88, 0x100000n],
    [96, 0x1000n],
  ] as const)
    bytes.writeBigUInt64LE(size, optional + at)
  bytes.writeUInt32LE(16, optional + 108)
  bytes.writeUInt32LE(memoryUnit, optional + 112)
  bytes.writeUInt32LE(used, optional + 116)
  bytes.write('.edata', sections)
  bytes.writeUInt32LE(used, sections + 8)
  bytes.writeUInt32LE(memoryUnit, sections + 12)
  bytes.writeUInt32LE(inFile, sections + 16)
  bytes.writeUInt32LE(fileUnit, sections + 20)
  bytes.writeUInt32LE(0x40000040, sections + 36)
  return bytes
}
