import { createHash } from 'node:crypto'

/** What the signature of a program of macOS says, and which pages of the program it does not fit. */
export interface MacSignature {
  readonly identifier: string
  readonly isAdHoc: boolean
  /** The hash of each page of 4 KiB, in hex. */
  readonly pages: readonly string[]
  readonly wrongPages: readonly number[]
  /** What else is not as the system demands it. */
  readonly problems: readonly string[]
}

/**
 * Reads the signature of a program for one processor, as its system does: from the load commands to the directory of the code.
 * It has nothing from what signs, and is tried on what Apple's own tool has signed.
 */
export function readMacSignature(program: Buffer): MacSignature {
  const problems: string[] = []
  const demand = (holds: boolean, problem: string) => void (holds || problems.push(problem))
  const commands: Buffer[] = []
  const end = 32 + program.readUInt32LE(20)
  for (let at = 32; at < end; at += program.readUInt32LE(at + 4))
    commands.push(program.subarray(at, at + program.readUInt32LE(at + 4)))
  demand(commands.length === program.readUInt32LE(16), 'the commands have another size than they say')
  const segments = commands
    .filter(command => command.readUInt32LE(0) === 0x19)
    .map(command => ({
      name: command.toString('latin1', 8, 24).replace(/\0+$/, ''),
      address: command.readBigUInt64LE(24),
      memory: command.readBigUInt64LE(32),
      from: command.readBigUInt64LE(40),
      size: command.readBigUInt64LE(48),
    }))
  for (const [index, { name, address, memory, from, size }] of segments.entries()) {
    demand(size <= memory, `${name} is larger than its memory`)
    const next = segments[index + 1]
    demand(next === undefined || address + memory <= next.address, `${name} reaches into the next segment`)
    demand(next === undefined || from + size <= next.from, `${name} reaches into the next one's file`)
  }
  const text = segments.find(({ name }) => name === '__TEXT')
  const links = segments.at(-1)
  demand(links?.name === '__LINKEDIT', 'the last segment is another one')
  demand(links !== undefined && links.memory % 0x1000n === 0n, 'the last segment is no whole pages')
  demand(
    Number((links?.from ?? 0n) + (links?.size ?? 0n)) === program.length,
    'the last segment ends elsewhere',
  )

  const signatures = commands.filter(command => command.readUInt32LE(0) === 0x1d)
  demand(signatures.length === 1, 'there is not one signature')
  const [start, size] = [signatures[0]?.readUInt32LE(8) ?? 0, signatures[0]?.readUInt32LE(12) ?? 0]
  demand(start + size === program.length, 'the signature is not at the end')
  demand(start % 16 === 0, 'the signature begins at an odd place')
  const blob = program.subarray(start, start + size)
  demand(blob.readUInt32BE(0) === 0xfade0cc0, 'the signature is of another kind')
  demand(blob.readUInt32BE(4) <= size, 'the signature is larger than its place')
  const offsets = Array.from({ length: blob.readUInt32BE(8) }, (_, index) =>
    blob.readUInt32BE(16 + 8 * index),
  )
  const parts = offsets.map(at => blob.subarray(at, at + blob.readUInt32BE(at + 4)))
  // There may be one with SHA-1 before it, for older systems.
  const directory = parts.find(part => part.readUInt32BE(0) === 0xfade0c02 && part[37] === 2)
  if (directory === undefined) throw new Error('the signature has no directory of the code')
  demand(directory[36] === 32 && directory[39] === 12, 'the hashes are of other pages')
  demand(directory.readUInt32BE(32) === start, 'the hashes end elsewhere')
  demand(directory.readBigUInt64BE(64) === text?.from, 'the code begins elsewhere')
  demand(directory.readBigUInt64BE(72) === text?.size, 'the code ends elsewhere')
  demand(directory.readBigUInt64BE(80) % 2n === 1n, 'it is not the main program')
  const name = directory.readUInt32BE(20)
  const count = directory.readUInt32BE(28)
  demand(count === Math.ceil(start / 4096), 'there are more or fewer pages')
  const hashes = directory.readUInt32BE(16)
  demand(hashes + 32 * count <= directory.length, 'the hashes are not in the directory')
  const pages = Array.from({ length: count }, (_, page) =>
    directory.toString('hex', hashes + 32 * page, hashes + 32 * (page + 1)),
  )
  const wrongPages = pages.flatMap((hash, page) => {
    const content = program.subarray(4096 * page, Math.min(4096 * (page + 1), start))
    return createHash('sha256').update(content).digest('hex') === hash ? [] : [page]
  })
  return {
    identifier: directory.toString('latin1', name, directory.indexOf(0, name)),
    isAdHoc: (directory.readUInt32BE(12) & 2) === 2,
    pages,
    wrongPages,
    problems,
  }
}
