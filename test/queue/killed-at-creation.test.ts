import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { storedHashes } from '../support/books/book-folder.ts'
import { beforeOf, createStep, recorded } from '../support/catalogues/plan-file.ts'
import { startBin } from '../support/machine/bin.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'

const postgres = usePostgres(isSlow)

it.runIf(isSlow).each([
  ['when it is available', {}],
  ['at once', { variants: ['current-at-creation'] as const }],
])(
  'a worker that was killed behind the creation of an edition, which is current %s, is gone on with',
  async (_, options) => {
    const scene = await queueScene(postgres, 1, options)
    const { ok, run, plan, steps, write, books, dataDir, baseUrl, env } = scene
    await ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
    // The edition before is young, and no worker knows of it.
    expect(await run(['catalogue', 'apply', plan])).toMatchObject({ code: 0 })
    const [{ publicationId: id }] = (await ok('GET', '/v1/publications')).items
    const file = join(books, 'new.epub')
    writeFileSync(file, await makeExampleEpub({ title: 'Book 000', paddingBytes: 99 }))
    const { key, title } = steps[0] as { key: string; title: string }
    const step = recorded(
      createStep(file, key, title, {
        ...{ action: 'edition', publicationId: id },
        before: beforeOf((await ok('GET', `/v1/publications/${id}`)).item),
      }),
    )
    const kill = () => void killed.kill('SIGKILL')
    const { url } = await faultyServer(
      { to: 'POST', times: 1, when: 'done', meanwhile: kill, does: 'hang' },
      { before: baseUrl },
    )
    write([step], { baseUrl: url })
    const there = { ...env, PUBCTL_BASE_URL: url }
    expect(await machine(there).run(['queue', 'load', plan])).toMatchObject({ code: 0 })
    const killed = startBin(['worker'], there)
    expect((await killed).signal).toBe('SIGKILL')
    const { exitCode, stdout, stderr } = await startBin(['worker', '--once', '-o', 'ndjson'], there)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'uploaded', uploadStatus: 'available', warnings: [] })
    const { editions } = (await ok('GET', `/v1/publications/${id}`)).item
    expect(editions).toMatchObject([
      { isCurrentVersion: false },
      { isCurrentVersion: true, uploadStatus: 'available' },
    ])
    expect(storedHashes(dataDir)).toContain(step.sha256)
  },
)
