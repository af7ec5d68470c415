import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks } from '../support/books/book-folder.ts'
import { makeJournalOlder, storedIn } from '../support/catalogues/old-journal.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests are about.
type Json = any

/** More books than are begun at a time, so that some stay in the queue. */
const count = 66

/** A cover image. */
const picture = '<svg xmlns="http://www.w3.org/2000/svg"/>'

/** A batch with a cover image and a language, which the store refused: its journal has begun uploads and a queue. */
async function brokenOff() {
  const { made, env, faults } = await bookService({
    ...{ to: /^PUT .put/, status: 400, body: '<Error><Code>InvalidArgument</Code></Error>' },
  })
  const { home, run } = machine(env)
  const books = join(temporaryFolder(), 'books')
  await makeBooks(books, count)
  const cover = join(temporaryFolder(), 'front.svg')
  writeFileSync(cover, picture)
  const upload = ['publications', 'upload', books, '--cover', cover, '--language', 'de', '--concurrency', '1']
  const report = ['--report', join(temporaryFolder(), 'report.json')]
  expect((await run([...upload, '--stop-on-error', ...report])).code).toBe(10)
  faults.length = 0
  const journal = join(home, '.local/share/pubctl/uploads.db')
  const answer = async (...args: string[]) => {
    const { code, out, err } = await run([...args, '--json'])
    const lines = err.split('\n').filter(Boolean)
    const warnings = lines.flatMap(line => JSON.parse(line).warning?.message ?? [])
    return { code, out: JSON.parse(out || 'null') as Json, warnings }
  }
  return { made, upload, journal, run: answer }
}

describe('a journal of a version that sealed nothing', () => {
  it.each(share([3, 4] as const, 2))(
    'is left alone, version %i, and said, and loses its upload addresses',
    async version => {
      const { made, journal, run } = await brokenOff()
      const ids = (await run('uploads', 'list')).out.map((each: Json) => each.uploadRequestId)
      expect(ids).toHaveLength(count)
      makeJournalOlder(journal, version)
      expect(readFileSync(journal, 'latin1')).toContain('X-Amz-Signature')
      const { code, out, warnings } = await run('uploads', 'resume')
      expect({ code, out, warnings }).toEqual({
        ...{ code: 0, out: [] },
        warnings: [expect.stringMatching(new RegExp(`^${count} uploads of the journal are left alone`))],
      })
      expect(made.map(({ puts }) => puts)).toEqual(made.map(() => 0))
      expect(readFileSync(journal, 'latin1')).not.toContain('X-Amz-Signature')
      expect(storedIn(journal)).toMatchObject({ version: 7 })
      for (const id of ids.slice(0, 2)) expect((await run('uploads', 'forget', id)).code).toBe(0)
      expect((await run('uploads', 'list')).warnings).toEqual([
        expect.stringMatching(`^${count - 2} uploads`),
      ])
    },
  )

  it.runIf(isSlow)('does not hold back the same batch', async () => {
    const { upload, journal, run } = await brokenOff()
    makeJournalOlder(journal, 4)
    const { code, out } = await run(...upload)
    expect({ code, outcomes: out.map(({ outcome }: Json) => outcome) }).toEqual({
      code: 0,
      outcomes: Array(count).fill('uploaded'),
    })
  })
})
