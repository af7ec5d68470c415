import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { networkType } from '../../src/system/network-file-system.ts'
import { isUnfinishedName, kindOf, parseTrigger } from '../../src/watch/folder/names.ts'
import { isQuiet, observe } from '../../src/watch/folder/quiet-period.ts'
import { type Seen, stampOf } from '../../src/watch/folder/scan.ts'
import { whyIncomplete } from '../../src/watch/readiness.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

describe('a file that is put into a folder', () => {
  it.each([
    ['EPUB', async () => await makeExampleEpub({ title: 'A', paddingBytes: 5000 })],
    ['PDF', async () => makePdf({ info: '/Title (A)' })],
  ])('is whole when all of it is there, and no earlier: %s', async (_, make) => {
    const path = join(temporaryFolder(), 'book')
    const book = await make()
    writeFileSync(path, book)
    expect(await whyIncomplete(path, anyFile)).toBeUndefined()
    // The line break after the trailer of a PDF may be missing.
    for (let length = 0; length < book.length - 1; length += 1 + Math.floor(length / 50)) {
      writeFileSync(path, book.subarray(0, length))
      expect(await whyIncomplete(path, anyFile), `${length} of ${book.length} bytes`).toMatch(/\w/)
    }
  })

  it('is not whole while there are only zeros where a part of it is to be', async () => {
    const path = join(temporaryFolder(), 'book.epub')
    const book = await makeExampleEpub({ title: 'A', paddingBytes: 5000 })
    for (const from of [0.05, 0.3, 0.7]) {
      const hole = Math.floor(book.length * from)
      const file = openSync(path, 'w')
      ftruncateSync(file, book.length)
      writeSync(file, book, 0, 2)
      writeSync(file, book, hole, book.length - hole, hole)
      closeSync(file)
      expect(await whyIncomplete(path, anyFile), String(from)).toMatch(/\w/)
    }
  })

  it('that is no book is whole: what is wrong with it is said when it is read', async () => {
    const path = join(temporaryFolder(), 'book.epub')
    writeFileSync(path, 'a text')
    expect(await whyIncomplete(path, anyFile)).toBeUndefined()
  })
})

describe('the quiet period', () => {
  const seen = (modified: number): Seen => ({
    path: '/a',
    below: '',
    name: 'a',
    kind: 'book',
    trigger: undefined,
    stamp: { bytes: 1n, modified: BigInt(modified), changed: BigInt(modified), inode: 1n, device: 1n },
  })

  it('begins with the scan that first sees a file as it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 50 })), { minLength: 1 }),
        fc.integer({ min: 0, max: 100 }),
        (scans, quietPeriod) => {
          let [watched, now]: [ReturnType<typeof observe>['watched'], number] = [new Map(), 0]
          let unchangedSince = 0
          let last: number | undefined
          for (const [modified, pause] of scans) {
            now += pause
            if (modified !== last) unchangedSince = now
            last = modified
            const next = observe(watched, [seen(modified)], now)
            watched = next.watched
            const file = watched.get('/a')
            expect(next.fresh.length).toBe(unchangedSince === now ? 1 : 0)
            expect(file && isQuiet(file, now, quietPeriod)).toBe(now - unchangedSince >= quietPeriod)
          }
        },
      ),
    )
  })

  it('begins anew for a file that went away and came back', () => {
    const first = observe(new Map(), [seen(1)], 0)
    const gone = observe(first.watched, [], 5)
    expect(observe(gone.watched, [seen(1)], 9).watched.get('/a')?.since).toBe(9)
  })

  it('begins anew for a change of content that sets size and time back', async () => {
    const path = join(temporaryFolder(), 'a')
    writeFileSync(path, 'one')
    const before = await stampOf(path)
    // A file system counts time in steps of some milliseconds.
    await sleep(30)
    writeFileSync(path, 'two')
    const after = await stampOf(path)
    const at = (stamp: typeof before) => ({ ...seen(1), stamp: { ...stamp, modified: 1n } }) as Seen
    expect(observe(observe(new Map(), [at(before)], 0).watched, [at(after)], 9).fresh).toHaveLength(1)
  })
})

describe('names', () => {
  it('tell books, sheets and images, and what a program is still writing', () => {
    expect(['A.EPUB', 'b.pdf', 'c.lpf', 'd.xml', 'e.csv', 'f.yml', 'g.png', 'h.docx'].map(kindOf)).toEqual(
      'book book book sheet sheet sheet image other'.split(' '),
    )
    for (const name of ['.a.epub', 'a.epub.part', 'a.epub~', '~$a.csv', 'a.TMP', 'a.epub.crdownload'])
      expect(isUnfinishedName(name), name).toBe(true)
    for (const name of ['part.epub', 'a.tmp.epub', 'a~b.pdf'])
      expect(isUnfinishedName(name), name).toBe(false)
  })

  it('of triggers stand for a name with or without its extension', () => {
    const trigger = parseTrigger('*.ready')
    expect(trigger.namesFor('book.epub')).toEqual(['book.epub.ready', 'book.ready'])
    expect(['book.ready', '.ready', 'book.epub'].map(trigger.isTrigger)).toEqual([true, false, false])
    expect(parseTrigger('ok-*').namesFor('a.pdf')).toEqual(['ok-a.pdf', 'ok-a'])
    for (const bad of ['ready', '*', '*.*', 'a/*.ready'])
      expect(() => parseTrigger(bad), bad).toThrow('is not a name with one * in it')
  })

  it('of triggers are found in any case where a disk takes that for one name', () => {
    const found = (platform: NodeJS.Platform) => {
      const trigger = parseTrigger('*.Ready', platform)
      const names = ['First.epub', 'FIRST.READY', 'second.EPUB.ready']
      const triggerOf = trigger.among(names)
      return [names.filter(trigger.isTrigger), ['First.epub', 'second.EPUB', 'third.epub'].map(triggerOf)]
    }
    for (const platform of ['win32', 'darwin'] as const)
      expect(found(platform)).toEqual([
        ['FIRST.READY', 'second.EPUB.ready'],
        ['FIRST.READY', 'second.EPUB.ready', undefined],
      ])
    expect(found('linux')).toEqual([[], [undefined, undefined, undefined]])
  })

  it('of file systems that other machines share follow from the type of statfs', () => {
    expect([0x6969, 0xff534d42, 0xfe534d42, -11317950, 0xef53, 0x01021994].map(networkType)).toEqual([
      ...['NFS', 'CIFS', 'SMB2', 'CIFS'],
      ...[undefined, undefined],
    ])
  })
})
