import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks, storedHashes } from '../support/books/book-folder.ts'
import { environment, startBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { randomFrom } from '../support/machine/random.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const rounds = 50
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const count = 60

/** A person with sixty books, an empty home and a service of its own. */
async function scene() {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const books = join(folder, 'books')
  const dataDir = join(folder, 'data')
  mkdirSync(home)
  const made = await makeBooks(books, count)
  const server = await startServer(dataDir, ['--processing-delay', '20ms'])
  const env = environment({ HOME: home, PUBCTL_BASE_URL: server.baseUrl, PUBCTL_API_KEY: server.key })
  const run = async (args: readonly string[]) => await startBin(args, env)
  const list = async (args: readonly string[]) => JSON.parse((await run([...args, '--json'])).stdout)
  return {
    ...made,
    books,
    dataDir,
    run,
    list,
    /** Kills a command after so many milliseconds, counted from the first request if `isBegun`; false when it was faster. */
    async kill(args: readonly string[], milliseconds: number): Promise<boolean> {
      const child = startBin(args, env)
      const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
      const { signal } = await child
      clearTimeout(timer)
      return signal === 'SIGKILL'
    },
  }
}

describe.runIf(isSlow)(`a batch of ${count} books that is killed at random moments (seed ${seed})`, () => {
  it.each(Array.from({ length: rounds }, (_, index) => index + 1))(
    'has each book at the service exactly once after it was gone on with (round %i)',
    async () => {
      const { titles, hashes, books, dataDir, run, list, kill } = await scene()
      const upload = ['publications', 'upload', books]
      const resume = ['uploads', 'resume']
      const story: string[] = []
      let next = upload
      for (let kills = 1 + Math.floor(random() * 3); kills > 0; kills--) {
        const after = Math.round(100 + random() * 1700)
        const wasKilled = await kill(next, after)
        const left = (await list(['uploads', 'list', '--all'])).length
        const known = (await list(['publications', 'list', '--all'])).length
        story.push(
          `${next[1]} ${wasKilled ? 'killed' : 'ended'} after ${after} ms: ${known} made, ${left} left`,
        )
        // Nothing may have reached the service before the whole batch was written down.
        if (next === upload && wasKilled && known > 0)
          expect(left + known, story.join('\n')).toBeGreaterThanOrEqual(count)
        next = known > 0 && random() < 0.7 ? resume : upload
      }
      const { exitCode, stderr } = await run(next)
      expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }, story.join('\n')).toEqual({
        exitCode: 0,
        stderr: '',
      })

      const listed = await list(['publications', 'list', '--all'])
      expect(listed.map(({ title }: { title: string }) => title).sort(), story.join('\n')).toEqual(titles)
      expect(new Set(listed.map(({ uploadStatus }: { uploadStatus: string }) => uploadStatus))).toEqual(
        new Set(['available']),
      )
      // A file that was replaced by the same one is discarded in the background.
      await expect.poll(() => storedHashes(dataDir)).toEqual(hashes)
      expect(await list(['uploads', 'list'])).toEqual([])

      const again = await run([...upload, '--json'])
      expect(again.exitCode).toBe(0)
      const outcomes = JSON.parse(again.stdout).map(({ outcome }: { outcome: string }) => outcome)
      expect(outcomes).toEqual(titles.map(() => 'skipped'))
    },
  )
})
