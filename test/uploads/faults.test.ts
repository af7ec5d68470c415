import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks, storedHashes } from '../support/books/book-folder.ts'
import { runBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { randomFrom } from '../support/machine/random.ts'
import { isSlow } from '../support/machine/slow.ts'
import { faultyServer, noTroubles } from '../support/proxies/faulty-server.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
const count = 300

describe.runIf(isSlow)(
  `a batch of ${count} books through a proxy that spoils every sixth exchange (seed ${seed})`,
  () => {
    it('ends well, with each book at the service exactly once', { timeout: 300_000 }, async () => {
      const folder = temporaryFolder()
      const books = join(folder, 'books')
      const { titles, hashes } = await makeBooks(books, count)
      const server = await startServer(join(folder, 'data'), ['--processing-delay', '20ms'])
      const troubles = noTroubles()
      const given = { random: randomFrom(seed), troubles }
      const url = await faultyServer(server.baseUrl, 'is unreliable', given)
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
      expect(troubles.puts).toBeGreaterThan(count)
      for (const kind of ['reset', 'refused', 'cut', 'truncated'] as const)
        expect(troubles[kind]).toBeGreaterThan(count / 60)

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
