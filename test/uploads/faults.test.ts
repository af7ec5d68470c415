import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks, storedHashes } from '../support/books/book-folder.ts'
import { runBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { randomFrom } from '../support/machine/random.ts'
import { isSlow } from '../support/machine/slow.ts'
import { type Fault, faultyServer } from '../support/proxies/faulty-server.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
const count = 300

/** How long a busy server asks to wait: not in every second answer, and then not at all, a second, or a second as a date. */
const pauses = [
  { share: 0.5, headers: {} },
  { share: 0.3, headers: { 'retry-after': '0' } },
  { share: 0.1, headers: { 'retry-after': '1' } },
  { share: 0.1, headers: () => ({ 'retry-after': new Date(Date.now() + 1000).toUTCString() }) },
]

const refused = (status: number, share: number, when?: 'done'): Fault[] =>
  pauses.map(pause => ({
    ...{ ...pause, share: share * pause.share, status, when, body: '<h1>Not now</h1>' },
  }))

/** Connections that are reset, requests that are refused, each before or after it is carried out, and what comes by half. */
const unreliable: Fault[] = [
  { share: 0.025, does: 'reset' },
  { share: 0.025, does: 'reset', when: 'done' },
  // Few of them, because after each of them all requests slow down together.
  ...refused(429, 0.01),
  ...refused(503, 0.045),
  ...refused(503, 0.045, 'done'),
  { share: 0.02, does: 'cut' },
  { share: 0.02, to: /^(?!PUT)/, does: 'truncate' },
]

describe.runIf(isSlow)(
  `a batch of ${count} books through a proxy that spoils every sixth exchange (seed ${seed})`,
  () => {
    it('ends well, with each book at the service exactly once', { timeout: 300_000 }, async () => {
      const folder = temporaryFolder()
      const books = join(folder, 'books')
      const { titles, hashes } = await makeBooks(books, count)
      const server = await startServer(join(folder, 'data'), ['--processing-delay', '20ms'])
      const options = { before: server.baseUrl, random: randomFrom(seed) }
      const { url, met, log } = await faultyServer(unreliable, options)
      const env = { HOME: folder, PUBCTL_BASE_URL: server.baseUrl, PUBCTL_API_KEY: server.key }
      const uploaded = await runBin(['publications', 'upload', books, '--json'], {
        ...env,
        PUBCTL_BASE_URL: url,
      })
      expect({ exitCode: uploaded.exitCode, stderr: uploaded.stderr }, `seed ${seed}`).toEqual({
        exitCode: 0,
        stderr: '',
      })
      // Else it would prove nothing.
      expect(log.filter(route => route.startsWith('PUT')).length).toBeGreaterThan(count)
      for (const kind of ['reset', undefined, 'cut', 'truncate'])
        expect(met.filter(({ does }) => does === kind).length, kind).toBeGreaterThan(count / 60)

      const { stdout } = await runBin(['publications', 'list', '--all', '--json'], env)
      const listed = JSON.parse(stdout)
      expect(listed.map(({ title }: { title: string }) => title).sort(), `seed ${seed}`).toEqual(titles)
      expect(listed.every(({ uploadStatus }: { uploadStatus: string }) => uploadStatus === 'available')).toBe(
        true,
      )
      await expect.poll(() => storedHashes(join(folder, 'data'))).toEqual(hashes)
    })
  },
)
