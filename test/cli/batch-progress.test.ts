import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBatchProgress } from '../../src/cli/output/batch-progress.ts'
import { widthOf } from '../../src/cli/output/width.ts'
import { createWriter } from '../../src/cli/output/writer.ts'
import { systemClock } from '../../src/system/world.ts'

/** A stream that remembers what was written; a terminal of so many columns where they are given. */
function screen(columns?: number) {
  let text = ''
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const nothing = () => true
  const terminal =
    columns === undefined
      ? {}
      : { isTTY: true as const, columns, cursorTo: nothing, clearLine: nothing, moveCursor: nothing }
  return { writer: createWriter(Object.assign(stream, terminal), false), text: () => text }
}

const sizes = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [`/books/${index}.epub`, 1_000_000]))

describe('the progress of five hundred files', () => {
  it('is a line for each file that ends and one about the whole every half minute in a log', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { writer, text } = screen()
    const progress = createBatchProgress(
      writer,
      { ...systemClock, now: Date.now, monotonic: Date.now, sleep: async () => undefined },
      sizes(500),
    )
    const end = (index: number, outcome: 'uploaded' | 'skipped' | 'failed', message?: string) =>
      progress.finished({ name: `books/${index}.epub`, path: `/books/${index}.epub` }, outcome, message)
    progress.sent('/books/0.epub', 1_000_000)
    progress.sent('/books/1.epub', 400_000)
    await vi.advanceTimersByTimeAsync(29_000)
    end(0, 'uploaded')
    end(2, 'skipped')
    end(3, 'failed', 'no\nbook\u001b[31m')
    await vi.advanceTimersByTimeAsync(32_000)
    progress.stop()
    await vi.advanceTimersByTimeAsync(90_000)
    const lines = text().trimEnd().split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'books/0.epub: uploaded',
      'books/2.epub: skipped',
      expect.stringMatching(/^books\/3\.epub: failed: no.*book/),
    ])
    expect(lines.slice(3)).toEqual(
      [1, 2].map(() =>
        expect.stringMatching(/^3 of 500 done {2}1 failed {2}1 skipped {2}sending 1 {2}1\.4 MB of 498 MB/),
      ),
    )
    expect(text()).not.toContain('\u001b')
  })

  it('shows what failed last below the live line, cut to the terminal, and leaves nothing of it', async () => {
    const { writer, text } = screen(60)
    const progress = createBatchProgress(
      writer,
      { ...systemClock, now: Date.now, monotonic: Date.now, sleep: async () => undefined },
      sizes(9),
    )
    const told: [name: string, message: string][] = [
      ['b/1.epub', 'b/1.epub is a text file, not a book'],
      ['4.epub', 'cannot read 14.epub'],
      ['b/5.epub', `the title is ${'far '.repeat(30)}too long`],
    ]
    const shown: string[] = []
    for (const [name, message] of told) {
      progress.finished({ name, path: `/home/${name}` }, 'failed', message)
      const start = `failed: ${message.startsWith(name) ? '' : `${name}: `}${message}`.slice(0, 30)
      await expect.poll(text).toContain(start)
      const last = text()
        .split(/\u001b\[\?2026l|[\r\n]/)
        .map(line => stripVTControlCharacters(line))
        .findLast(line => line.includes(start))
      shown.push(last ?? '')
    }
    progress.stop()
    expect(shown).toEqual([
      '  failed: b/1.epub is a text file, not a book',
      '  failed: 4.epub: cannot read 14.epub',
      expect.stringMatching(/^ {2}failed: b\/5\.epub: the title is (far ?)+…$/),
    ])
    for (const line of shown) expect(widthOf(line)).toBeLessThan(60)
  })

  it.each<[string, number, number, number, RegExp]>([
    // One large book is left.
    ['the time that is left, by the bytes', 99, 100, 300_000, / {2}4 min 40 s left/],
    // All has been sent: how long scans take is not known before.
    [
      'how many wait for the scan, and how long the last took',
      70,
      100,
      1_000_000,
      /^(?!.* left).* {2}1 waiting for the scan \(the last took 0 s\)/,
    ],
  ])('tells %s', async (_, ended, count, sent, expected) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { writer, text } = screen()
    // The first book has nearly all of the bytes.
    const all = new Map(Array.from({ length: count }, (_, index) => [`/${index}`, index === 0 ? 1e8 : 10]))
    const progress = createBatchProgress(
      writer,
      { ...systemClock, now: () => 0, monotonic: Date.now, sleep: async () => undefined },
      all,
    )
    progress.sent('/0', sent * 100)
    for (let index = 1; index <= ended; index++) {
      progress.sent(`/${index}`, 10)
      progress.finished({ name: `${index}`, path: `/${index}` }, 'uploaded', undefined)
    }
    await vi.advanceTimersByTimeAsync(ended === 70 ? 70_000 : 130_000)
    progress.stop()
    expect(text().trimEnd().split('\n').at(-1)).toMatch(expected)
  })

  it.each([40, 80, 200])('is one line that fits a terminal of %i columns', async columns => {
    const { writer, text } = screen(columns)
    const progress = createBatchProgress(
      writer,
      { ...systemClock, now: Date.now, monotonic: Date.now, sleep: async () => undefined },
      sizes(500),
    )
    for (const path of sizes(500).keys()) progress.sent(path, 400_000)
    await expect.poll(text).toMatch(/0 of 500 done .*MB of 500 MB/)
    progress.stop()
    const shown = stripVTControlCharacters(text().replaceAll('\u001b[?2026h', '\n'))
      .split(/[\r\n]/)
      .filter(line => line.includes('done'))
    expect(shown.length).toBeGreaterThan(0)
    for (const line of shown) expect(widthOf(line)).toBeLessThan(columns)
  })
})
