import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks } from '../support/book-folder.ts'
import { makeJournalOlder, storedIn } from '../support/old-journal.ts'
import { machine, temporaryFolder } from '../support/pubctl.ts'
import { stubbornService } from '../support/stubborn-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests are about.
type Json = any

/** More books than are begun at a time, so that some stay in the queue. */
const count = 66

/** A cover image. */
const picture = '<svg xmlns="http://www.w3.org/2000/svg"/>'

/** A batch with a cover image and a language, which the store refused: its journal has begun uploads and a queue. */
async function brokenOff() {
  const state = { isRefusingFiles: true }
  const covers: Buffer[] = []
  const { made, env } = await stubbornService(({ method, url, body }, response) => {
    if (method === 'PUT' && url.startsWith('/cover/')) covers.push(body)
    return (
      method === 'PUT' &&
      !url.startsWith('/cover/') &&
      state.isRefusingFiles &&
      Boolean(response.writeHead(400).end('<Error><Code>InvalidArgument</Code></Error>'))
    )
  })
  const { home, run } = machine(env)
  const books = join(temporaryFolder(), 'books')
  await makeBooks(books, count)
  const cover = join(temporaryFolder(), 'front.svg')
  writeFileSync(cover, picture)
  const upload = ['publications', 'upload', books, '--cover', cover, '--language', 'de', '--concurrency', '1']
  const report = ['--report', join(temporaryFolder(), 'report.json')]
  expect((await run([...upload, '--stop-on-error', ...report])).code).toBe(10)
  state.isRefusingFiles = false
  covers.length = 0
  const journal = join(home, '.local/share/pubctl/uploads.db')
  const answer = async (...args: string[]): Promise<Json> => {
    const { code, out, err } = await run([...args, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }
  return { made, covers, cover, upload, journal, answer }
}

describe('a journal of version 4, which called a cover coverWish and overrides wishes', () => {
  it('is migrated without a change to what it says', async () => {
    const { journal, cover, answer } = await brokenOff()
    const before = storedIn(journal)
    expect(before.requests[0]).toContain(`"cover":${JSON.stringify(cover)}`)
    const list = await answer('uploads', 'list')
    expect(list.map((each: Json) => each.cover)).toContain(cover)

    makeJournalOlder(journal, 4)
    expect(storedIn(journal)).toMatchObject({
      version: 4,
      requests: before.requests.map(() => expect.stringMatching(/^{"wishes":/)),
    })
    expect(await answer('uploads', 'list')).toEqual(list)
    expect(storedIn(journal)).toEqual(before)
  })

  it('is gone on with, with the cover that was asked for', async () => {
    const { made, covers, journal, answer } = await brokenOff()
    makeJournalOlder(journal, 4)
    const receipts = await answer('uploads', 'resume')
    expect(receipts.map(({ outcome }: Json) => outcome)).toEqual(Array(count).fill('uploaded'))
    expect(made.map(({ puts }) => puts)).toEqual(Array(count).fill(1))
    expect(covers.map(String)).toEqual(Array(count).fill(picture))
  })

  it('gives the same batch its files in the queue back', async () => {
    const { journal, upload, answer } = await brokenOff()
    const ids = (await answer('uploads', 'list')).map((each: Json) => each.uploadRequestId).sort()
    makeJournalOlder(journal, 4)
    const receipts = await answer(...upload)
    expect(receipts.map((each: Json) => each.uploadRequestId).sort()).toEqual(ids)
    expect(await answer('uploads', 'list')).toEqual([])
  })
})
