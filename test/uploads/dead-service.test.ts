import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks } from '../support/books/book-folder.ts'
import { runBin } from '../support/machine/bin.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { bookService } from '../support/servers/book-service.ts'

describe.runIf(isSlow)('a batch at an address that drops packets', () => {
  it('ends within a minute, says why, and is gone on with once the service is back', {
    timeout: 120_000,
  }, async () => {
    const folder = temporaryFolder()
    const books = join(folder, 'books')
    await makeBooks(books, 60)
    const { port, close, ...deaf } = await faultyServer([], { accepts: false })
    const env = { HOME: folder, ...deaf.env }
    const report = join(folder, 'report.json')
    const started = performance.now()
    const dead = await runBin(['publications', 'upload', books, '--cover', 'none', '--report', report], env)
    // The requirement itself: what it takes beyond half of it is this machine's load.
    expect(performance.now() - started).toBeLessThan(60_000)
    expect(dead.exitCode).toBe(8)
    expect(dead.stderr).toMatch(
      /error: nothing has come from the service at http:\/\/127\.0\.0\.1:\d+ for 2\d s, so no further\s+file is\s+tried/,
    )
    expect(dead.stderr).toMatch(/timed\s+out.*, again in \d s/)
    expect(dead.stderr).toMatch(/pubctl uploads resume/)

    await close()
    const service = await bookService([], { port })
    const resumed = await runBin(['uploads', 'resume', '--json'], env)
    expect({ exitCode: resumed.exitCode, stderr: resumed.stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(service.made.map(({ puts }) => puts)).toEqual(Array.from({ length: 60 }, () => 1))
  })
})

it('a store that takes the file and never answers is left after --timeout', async () => {
  const service = await bookService({ to: 'PUT', does: 'hang' })
  const folder = temporaryFolder()
  await makeBooks(folder, 1)
  const args = ['publications', 'upload', folder, '--cover', 'none', '--no-wait', '--timeout', '3s', '--json']
  const { code, err, out } = await machine(service.env).run([...args, '--report', `${folder}/report.json`])
  expect({ code, own: JSON.parse(out)[0].error.exitCode }).toEqual({ code: 10, own: 8 })
  expect(out + err).toMatch(/the transfer stalled: nothing moved for \d s/)
  expect(service.log.filter(route => route.startsWith('PUT'))).toHaveLength(1)
})
