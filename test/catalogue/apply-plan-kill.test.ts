import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks, storedHashes } from '../support/books/book-folder.ts'
import { createStep, writePlan } from '../support/catalogues/plan-file.ts'
import { environment, startBin } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { randomFrom } from '../support/machine/random.ts'
import { isSlow } from '../support/machine/slow.ts'
import { clientOf } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const rounds = 30
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const count = 40

/** A plan of books at a service of its own, and homes of two machines that carry it out. */
async function scene() {
  const folder = temporaryFolder()
  const [books, dataDir, plan] = ['books', 'data', 'plan.ndjson'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const homes = ['one', 'two'].map(name => join(folder, name))
  for (const home of homes) mkdirSync(home)
  const made = await makeBooks(books, count)
  const { baseUrl, key } = await startServer(dataDir, ['--processing-delay', '20ms'])
  const { ok } = clientOf(baseUrl, key)
  const { context } = await ok('GET', '/v1/publications?limit=1')
  const steps = made.titles.map((title, index) =>
    createStep(join(books, `${title}.epub`), String(9780000000000 + index), title),
  )
  writePlan(plan, { baseUrl, scopeId: context.authentication.scopeId }, steps)
  const args = ['catalogue', 'apply', plan]
  const envOf = (home: string) => environment({ HOME: home, PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key })
  return {
    ...{ ...made, dataDir, ok, homes },
    apply: (home: string) => startBin([...args, '--json'], envOf(home)),
    listed: async () =>
      JSON.parse((await startBin(['publications', 'list', '--all', '--json'], envOf(homes[0] ?? ''))).stdout),
    /** Kills the command after so many milliseconds; false when it was faster. */
    async kill(home: string, milliseconds: number): Promise<boolean> {
      const child = spawn(process.execPath, [bin, ...args], { env: envOf(home), stdio: 'ignore', cwd: home })
      const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
      const [, signal] = await once(child, 'exit')
      clearTimeout(timer)
      return signal === 'SIGKILL'
    },
  }
}

describe.runIf(isSlow)(`a plan of ${count} books that is killed at random moments (seed ${seed})`, () => {
  it.each(Array.from({ length: rounds }, (_, index) => index + 1))(
    'has each book at the service exactly once when it was carried out again (round %i)',
    async () => {
      const { titles, hashes, dataDir, ok, homes, apply, listed, kill } = await scene()
      const story: string[] = []
      for (let kills = 1 + Math.floor(random() * 3); kills > 0; kills--) {
        const after = Math.round(100 + random() * 1700)
        // Now and then another machine continues the plan.
        const home = homes[random() < 0.3 ? 1 : 0] ?? ''
        const wasKilled = await kill(home, after)
        story.push(
          `${home} ${wasKilled ? 'killed' : 'ended'} after ${after} ms: ${(await listed()).length} made`,
        )
      }
      // The second machine may have begun some of them as well.
      for (const home of homes) {
        const { exitCode, stderr } = await apply(home)
        expect({ exitCode, stderr }, story.join('\n')).toEqual({ exitCode: 0, stderr: '' })
      }

      const publications = await listed()
      expect(publications.map(({ title }: { title: string }) => title).sort(), story.join('\n')).toEqual(
        titles,
      )
      for (const { publicationId, uploadStatus } of publications) {
        expect(uploadStatus, story.join('\n')).toBe('available')
        expect((await ok('GET', `/v1/publications/${publicationId}`)).item.editions).toHaveLength(1)
      }
      // A file that was replaced by the same one is discarded in the background.
      await expect.poll(() => storedHashes(dataDir)).toEqual(hashes)

      for (const home of homes) {
        const again = await apply(home)
        expect(again.exitCode, story.join('\n')).toBe(0)
        const outcomes = JSON.parse(again.stdout).map(({ outcome }: { outcome: string }) => outcome)
        expect(outcomes, story.join('\n')).toEqual(titles.map(() => 'skipped'))
      }
    },
  )
})
