import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { runBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'

/** The sizes of an office's line, over which the whole takes more than three minutes. */
const { count, bytes, rate } = { count: 16, bytes: 1_500_000, rate: 125_000 }

describe.runIf(isSlow)(`${count} books that share a line of ${rate / 1000} kB/s`, () => {
  it('are each sent once, since bytes that move are not waiting', { timeout: 600_000 }, async () => {
    const folder = temporaryFolder()
    const books = join(folder, 'books')
    mkdirSync(books)
    for (let number = 0; number < count; number++) {
      const epub = await makeExampleEpub({ title: `Book ${number}`, cover: false, paddingBytes: bytes })
      writeFileSync(join(books, `${number}.epub`), epub)
    }
    const { env, made, carried } = await bookService([], { bytesPerSecond: rate })
    const args = ['--concurrency', String(count), '--report', join(folder, 'report.json')]
    const { exitCode, stderr } = await runBin(['publications', 'upload', books, '--json', ...args], {
      ...{ HOME: folder, ...env },
    })
    expect(exitCode, stderr).toBe(0)
    const sent = made.reduce((sum, book) => sum + (book.sent?.length ?? 0), 0)
    expect(sent).toBeGreaterThan(count * bytes)
    expect(carried() / sent).toBeLessThan(1.2)
  })
})
