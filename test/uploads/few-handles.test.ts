import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks } from '../support/books/book-folder.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { shell } from '../support/machine/limited-shell.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'

const limits = Array.from({ length: 19 }, (_, index) => 24 + index)

/** Uploads a folder of books where the system opens so many files, and tells whether each is uploaded or says why not. */
async function endsBatch(files: number) {
  const service = await bookService()
  const home = temporaryFolder()
  const books = join(home, 'books')
  await makeBooks(books, 9)
  for (const name of ['a', 'z'])
    writeFileSync(join(books, `${name}.pdf`), makePdf({ info: `/Title (${name})` }))
  const args = ['publications', 'upload', books, '--json', '--no-wait']
  const running = shell(`ulimit -n ${files}`, args, { ...service.env, HOME: home })
  const timer = setTimeout(() => running.kill('SIGKILL'), 180_000)
  const { exitCode, stderr, stdout } = await running
  clearTimeout(timer)
  const receipts: { outcome: string; error: { code: string; message: string } | null }[] = JSON.parse(
    stdout || '[]',
  )
  const uploaded = receipts.filter(({ outcome }) => outcome === 'uploaded')
  expect({ files, stderr: stderr + stdout }).toEqual({
    files,
    stderr: expect.not.stringContaining('fault'),
  })
  // It ended by itself: with all books, with some, or with none because not even the journal or the network can be opened.
  expect({ files, exitCode }).toEqual({ files, exitCode: expect.any(Number) })
  expect(exitCode === 0).toBe(uploaded.length === 11)
  for (const { outcome, error } of receipts)
    if (outcome === 'failed') expect(error?.message).toMatch(/too many files are open|too many open files/)
  expect(service.made.filter(({ puts }) => puts > 1)).toEqual([])
}

describe.runIf(isSlow && process.platform !== 'win32')('a system that lets a process open', () => {
  it('few files ends a batch with a clear word for each that cannot be read', {
    timeout: 600_000,
  }, async () => {
    // Several at once, since each waits for files to be closed more than it works.
    for (let next = 0; next < limits.length; next += 5)
      await Promise.all(limits.slice(next, next + 5).map(endsBatch))
  })
})
