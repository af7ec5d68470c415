import { createCipheriv } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { holdsEicar } from '../../src/sandbox/processing/scan.ts'
import { eicar } from '../support/books/eicar.ts'
import { isSlow } from '../support/machine/slow.ts'

const folder = mkdtempSync(join(tmpdir(), 'pubctl-scan-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function verdict(content: Buffer, ...limit: [((bytes: number) => number)?]): Promise<boolean> {
  const path = join(folder, 'file')
  await writeFile(path, content)
  return holdsEicar(path, ...limit)
}

/** A zip of these entries, deflated unless said otherwise. */
function zipOf(entries: Record<string, Buffer>, { compress = true } = {}): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(content, name, { compress })
  zip.end()
  return buffer(zip.outputStream)
}

/** So many bytes of prose, with the test string at an offset. */
function prose(length: number, at?: number): Buffer {
  const bytes = Buffer.alloc(
    length,
    'The Time Traveller was expounding a recondite matter to us. X5O!P%@AP[4\\PZX5 ',
  )
  if (at !== undefined) eicar.copy(bytes, at)
  return bytes
}

/** Where a zip's central directory begins. */
const directoryOf = (zip: Buffer): number => zip.indexOf('PK\u0001\u0002', 0, 'latin1')

/** So many bytes that deflating cannot make fewer. */
const noise = (length: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(length))

/** A zip whose directory names one entry of zeros so many times, and then one that holds the test string. */
async function bomb(zeros: number, times: number): Promise<Buffer> {
  const zip = await zipOf({ zeros: Buffer.alloc(zeros), virus: prose(500, 100) })
  const end = zip.length - 22
  const start = directoryOf(zip)
  const second = zip.indexOf('PK\u0001\u0002', start + 4, 'latin1')
  const repeated = Array<Buffer>(times).fill(zip.subarray(start, second))
  const directory = Buffer.concat([...repeated, zip.subarray(second, end)])
  const tail = Buffer.from(zip.subarray(end))
  tail.writeUInt16LE(times + 1, 8)
  tail.writeUInt16LE(times + 1, 10)
  tail.writeUInt32LE(directory.length, 12)
  return Buffer.concat([zip.subarray(0, start), directory, tail])
}

/** Offsets around the multiples of a size, where chunks are likely to meet. */
const aroundSeams = (size: number, seams: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: seams }), fc.integer({ min: -70, max: 2 }))
    .map(([seam, shift]) => seam * size + shift)

describe('the EICAR test string is found', () => {
  test('alone, at the start and at the end of a file', async () => {
    expect(eicar).toHaveLength(68)
    expect(await verdict(eicar)).toBe(true)
    expect(await verdict(Buffer.concat([eicar, prose(1000)]))).toBe(true)
    expect(await verdict(Buffer.concat([prose(1000), eicar]))).toBe(true)
  })

  test('at every offset across the first seam of what is read and of what an entry inflates to', async () => {
    for (let shift = -69; shift <= 1; shift++) {
      expect(await verdict(prose(300_000, 256 * 1024 + shift)), `${shift} from 256 KiB`).toBe(true)
      const zip = await zipOf({ 'a.txt': prose(70_000, 64 * 1024 + shift) })
      expect(await verdict(zip), `${shift} from 64 KiB inflated`).toBe(true)
    }
  })

  test('at every offset around the seams of what is read', async () => {
    await fc.assert(
      fc.asyncProperty(aroundSeams(64 * 1024, 9), async at => await verdict(prose(650_000, at))),
      { numRuns: 60 },
    )
  })

  test.runIf(isSlow)('at every offset around the seams of what an entry inflates to', async () => {
    await fc.assert(
      fc.asyncProperty(aroundSeams(16 * 1024, 12), async at => {
        const zip = await zipOf({ 'a.txt': prose(10), 'b.txt': prose(210_000, at) })
        // Only a zip that really hides the string proves something.
        fc.pre(!zip.includes(eicar))
        return await verdict(zip)
      }),
      { numRuns: 60 },
    )
  })

  test('in a stored entry, in the comment and behind the end of a zip', async () => {
    const zip = await zipOf({ 'a.txt': prose(10) })
    expect(await verdict(await zipOf({ 'a.txt': prose(10), 'b.txt': eicar }, { compress: false }))).toBe(true)
    expect(await verdict(Buffer.concat([zip, eicar]))).toBe(true)
    expect(await verdict(Buffer.concat([eicar, zip]))).toBe(true)
  })

  test('whatever an entry is called', async () => {
    for (const name of ['aa/evil', 'a:\\evil!', '/abs/evil', 'dir\\ev/']) {
      const zip = await zipOf({ [`${'x'.repeat(name.length)}`]: prose(500, 100) })
      // yazl refuses such names, so they are written over the ones it took.
      for (
        let at = zip.indexOf('x'.repeat(name.length));
        at >= 0;
        at = zip.indexOf('x'.repeat(name.length))
      ) {
        zip.write(name, at, 'latin1')
      }
      expect(zip.includes(eicar)).toBe(false)
      expect(await verdict(zip)).toBe(true)
    }
  })

  test('in and behind entries whose stated sizes are lies', async () => {
    const deflated = await zipOf({ 'a.txt': prose(5000, 4000) })
    deflated.writeUInt32LE(10, directoryOf(deflated) + 24)
    expect(await verdict(deflated)).toBe(true)

    const zip = new ZipFile()
    zip.addBuffer(prose(10), 'stored.txt', { compress: false })
    zip.addBuffer(prose(5000, 4000), 'deflated.txt')
    zip.end()
    const mixed = await buffer(zip.outputStream)
    mixed.writeUInt32LE(9, directoryOf(mixed) + 24)
    expect(await verdict(mixed)).toBe(true)
  })

  test('in an entry that comes after a broken one', async () => {
    const zip = await zipOf({ 'a.txt': prose(5000), 'b.txt': prose(5000, 4000) })
    zip.fill(0xff, 40, 60)
    expect(await verdict(zip)).toBe(true)
  })

  test('in the sound beginning of an entry that breaks off', async () => {
    const zip = await zipOf({ 'a.txt': Buffer.concat([prose(200_000, 100), noise(50_000)]) })
    zip.fill(0xff, zip.length - 4000, zip.length - 3000)
    expect(zip.includes(eicar)).toBe(false)
    expect(await verdict(zip)).toBe(true)
  })
})

describe('nothing is found', () => {
  test('in an empty file, in prose and in nearly the string', async () => {
    expect(await verdict(Buffer.alloc(0))).toBe(false)
    expect(await verdict(prose(600_000))).toBe(false)
    expect(await verdict(eicar.subarray(0, 67))).toBe(false)
    expect(await verdict(Buffer.concat([eicar.subarray(0, 30), Buffer.from(' '), eicar.subarray(30)]))).toBe(
      false,
    )
  })

  test('where one entry ends with one half and the next begins with the other', async () => {
    const halves = { 'a.txt': eicar.subarray(0, 34), 'b.txt': eicar.subarray(34) }
    expect(await verdict(await zipOf(halves))).toBe(false)
  })

  test('in a zip cut off anywhere, and nothing is thrown', async () => {
    const zip = await zipOf({ 'a.txt': prose(300), 'b.txt': prose(300, 100) })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: zip.length - 1 }),
        async length => !(await verdict(zip.subarray(0, length))),
      ),
      { numRuns: 60 },
    )
  })

  test('in an encrypted entry, which nobody here can read', async () => {
    const zip = await zipOf({ 'a.txt': prose(500, 100) })
    zip.writeUInt16LE(zip.readUInt16LE(6) | 1, 6)
    const central = directoryOf(zip)
    zip.writeUInt16LE(zip.readUInt16LE(central + 8) | 1, central + 8)
    expect(await verdict(zip)).toBe(false)
  })

  test('beyond the limit on what a zip may inflate to', async () => {
    // The limit for a file of a book's size is a gibibyte and more.
    const [size, limit] = isSlow ? [64 * 2 ** 20] : [2 ** 20, () => 2 ** 24]
    expect(await verdict(await bomb(size, 2), limit)).toBe(true)
    expect(await verdict(await bomb(size, 15), limit)).toBe(true)
    expect(await verdict(await bomb(size, 17), limit)).toBe(false)
  }, 120_000)
})

test('others get their turn while a large entry is looked at', async () => {
  const scan = verdict(await zipOf({ 'a.txt': Buffer.alloc(16 * 2 ** 20) }))
  let turns = 0
  let done = false
  void scan.finally(() => {
    done = true
  })
  for (; !done; turns++) await nextTurn()
  expect(turns).toBeGreaterThan(125)
})
