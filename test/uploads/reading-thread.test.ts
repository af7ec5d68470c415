import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyFile } from '../../src/system/may-read.ts'
import { readHere } from '../../src/uploads/reading/reading.ts'
import { openReadingThread } from '../../src/uploads/reading/thread.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { fileOf, makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'

function openThread() {
  const thread = openReadingThread(1)
  onTestFinished(() => thread.close())
  return thread
}

describe('the thread that reads a batch', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['an EPUB with a cover', async () => await exampleBook({ title: 'A' })],
    ['an EPUB with faults', () => fileOf(makeBook({ container: '' }))],
    ['a PDF', () => fileOf(makePdf({}), 'book.pdf')],
  ])('reads %s as this thread does, and hashes it', async (_, make) => {
    const path = await make()
    const content = readFileSync(path)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const here = await readHere(path, anyFile, true)
    expect(here).toMatchObject({ sha256: null, content: undefined })
    expect(await openThread().read(path, anyFile, true, async () => null)).toEqual({
      ...here,
      sha256,
      content: new Uint8Array(content),
      cover: here.cover && { ...here.cover, bytes: new Uint8Array(here.cover.bytes) },
      giveBack: expect.any(Function),
    })
  })

  it('reads no book into the memory of another before that is given back, and then one', async () => {
    const { read } = openThread()
    const titles = ['A', 'B', 'C', 'D']
    const paths = await Promise.all(titles.map(async title => await exampleBook({ title })))
    const [a, b, c, d] = paths.map(path => new Uint8Array(readFileSync(path)))
    const readNext = async () => await read(paths.shift() ?? '', anyFile, false, async () => null)
    const [first, second] = [await readNext(), await readNext()]
    expect([first.content, second.content]).toEqual([a, b])
    // Twice is once.
    first.giveBack?.()
    first.giveBack?.()
    const [third, fourth] = [await readNext(), await readNext()]
    expect([second.content, third.content, fourth.content]).toEqual([b, c, d])
    expect(first.content).toEqual(c?.subarray(0, first.bytes))
  })

  it('hashes nothing where no hash is asked for', async () => {
    const path = await exampleBook({ title: 'A' })
    expect(await openThread().read(path, anyFile, false)).toEqual(await readHere(path, anyFile, false))
  })

  it('reads many at a time, and gives each its own', async () => {
    const { read } = openThread()
    const titles = Array.from({ length: 40 }, (_, index) => `Book ${index}`)
    const readings = await Promise.all(
      titles.map(async title => await read(await exampleBook({ title }), anyFile, false)),
    )
    expect(readings.map(({ book }) => book.title)).toEqual(titles)
    expect(readings.every(({ cover }) => cover === undefined)).toBe(true)
  })

  it('fails in the words of this thread', async () => {
    const { read } = openThread()
    for (const path of [fileOf(Buffer.from('no book')), '/no/such/file.epub']) {
      const failure = await readHere(path, anyFile, false).catch(error => error)
      await expect(read(path, anyFile, false)).rejects.toMatchObject({
        code: failure.code,
        message: failure.message,
      })
    }
  })

  it('is done without once it is gone', async () => {
    const { read, close } = openThread()
    const path = await exampleBook({ title: 'Late' })
    const before = read(path, anyFile, false)
    await close()
    expect([await before, await read(path, anyFile, false)]).toMatchObject([
      { book: { title: 'Late' } },
      { sha256: null },
    ])
  })
})
