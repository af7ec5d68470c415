import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { makeBooks, storedHashes } from '../support/books/book-folder.ts'
import { beforeOf, createStep, recorded, writePlan } from '../support/catalogues/plan-file.ts'
import { environment, startBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { randomFrom } from '../support/machine/random.ts'
import { isSlow } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { clientOf } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const rounds = Number(process.env['KILL_ROUNDS'] ?? 30)
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const count = 40

/**
 * A plan of books at a service of its own, and homes of two machines that carry it out. Every fourth book has only just been
 * uploaded by others, and gets another edition.
 */
async function scene(variants: readonly string[]) {
  const folder = temporaryFolder()
  const [books, dataDir, plan] = ['books', 'data', 'plan.ndjson'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const homes = ['one', 'two'].map(name => join(folder, name))
  for (const home of homes) mkdirSync(home)
  const made = await makeBooks(books, count)
  const server = await startServer(dataDir, ['--processing-delay', '20ms', ...variants])
  const { key } = server
  const { ok, publish } = clientOf(server.baseUrl, key)
  await ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
  const { context } = await ok('GET', '/v1/publications?limit=1')
  const hashes = [...made.hashes]
  const steps = []
  for (const [index, title] of made.titles.entries()) {
    const isbn = String(9780000000000 + index)
    const step = recorded(createStep(join(books, `${title}.epub`), isbn, title))
    if (index % 4 !== 0) {
      steps.push(step)
      continue
    }
    const old = await makeExampleEpub({ title, cover: false, paddingBytes: 50_000 })
    hashes.push(createHash('sha256').update(old).digest('hex'))
    const { item } = await publish({ edition: { title, metadata: { isbn } } }, old)
    steps.push({ ...step, action: 'edition' as const, publicationId: item.id, before: beforeOf(item) })
  }
  const { url: baseUrl, faults } = await faultyServer([], { before: server.baseUrl })
  writePlan(plan, { baseUrl, scopeId: context.authentication.scopeId }, steps)
  const args = ['catalogue', 'apply', plan]
  const envOf = (home: string) => environment({ HOME: home, PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key })
  return {
    ...{ titles: made.titles, hashes: hashes.sort(), steps, dataDir, ok, homes },
    apply: (home: string) => startBin([...args, '--json'], envOf(home)),
    listed: async () =>
      JSON.parse((await startBin(['publications', 'list', '--all', '--json'], envOf(homes[0] ?? ''))).stdout),
    /** Kills the command after so many milliseconds, or right behind so many creations; false when it was faster. */
    async kill(
      home: string,
      { milliseconds, posts }: { milliseconds?: number; posts?: number },
    ): Promise<boolean> {
      const child = startBin(args, envOf(home))
      const kill = () => void child.kill('SIGKILL')
      if (posts !== undefined)
        faults.push({ to: 'POST', after: posts - 1, times: 1, when: 'done', meanwhile: kill, does: 'hang' })
      const timer = milliseconds === undefined ? undefined : setTimeout(kill, milliseconds)
      const { signal } = await child
      clearTimeout(timer)
      faults.length = 0
      return signal === 'SIGKILL'
    },
  }
}

describe.runIf(isSlow)(`a plan of ${count} books that is killed at random moments (seed ${seed})`, () => {
  it.each(Array.from({ length: rounds }, (_, index) => index + 1))(
    'has each book at the service exactly once when it was carried out again (round %i)',
    async round => {
      const variants = round % 2 === 0 ? [] : ['--variant', 'current-at-creation']
      const { titles, hashes, steps, dataDir, ok, homes, apply, listed, kill } = await scene(variants)
      const story: string[] = []
      for (let kills = 1 + Math.floor(random() * 3); kills > 0; kills--) {
        // One in three is aimed right behind a creation.
        const isAimed = random() < 1 / 3
        const [posts, milliseconds] = [Math.ceil(random() * (count / 2)), Math.round(100 + random() * 1700)]
        const after = isAimed ? `${posts} creations` : `${milliseconds} ms`
        // Now and then another machine continues the plan.
        const home = homes[random() < 0.3 ? 1 : 0] ?? ''
        const wasKilled = await kill(home, isAimed ? { posts } : { milliseconds })
        story.push(
          `${home} ${wasKilled ? 'killed' : 'ended'} after ${after}: ${(await listed()).length} there`,
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
      for (const { publicationId, title } of publications) {
        const { editions } = (await ok('GET', `/v1/publications/${publicationId}`)).item
        const step = steps.find(each => each.title === title)
        expect(editions, story.join('\n')).toHaveLength(step?.action === 'edition' ? 2 : 1)
        const current = { isCurrentVersion: true, uploadStatus: 'available' }
        expect(editions.at(-1), story.join('\n')).toMatchObject({
          ...current,
          metadata: { sha256: step?.sha256, fileSize: String(step?.bytes) },
        })
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
