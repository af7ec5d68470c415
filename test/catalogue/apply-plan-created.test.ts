import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { storedHashes } from '../support/books/book-folder.ts'
import { createStep, recorded } from '../support/catalogues/plan-file.ts'
import { planScene } from '../support/catalogues/plan-scene.ts'
import { startBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'

const isbn = '9780000000019'

/** What a service of each kind does with a new edition, which its document leaves open. */
const kinds = [
  ['when it is available', []],
  ['at once', ['current-at-creation']],
] as const

/**
 * A plan with an edition of a book that others have only just uploaded, and a machine that is killed right behind its
 * creation. The scope records content, or the service could not claim to have it.
 */
async function killedScene(variants: (typeof kinds)[number][1]) {
  const scene = await planScene({ variants })
  const { ok, published, editionStep, book, write, plan, env, baseUrl } = scene
  await ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
  const { id } = await published('A Tale', isbn)
  const file = await book('new.epub', { title: 'A Tale', paddingBytes: 99 })
  const step = recorded(await editionStep(file, isbn, id))
  const kill = () => void child.kill('SIGKILL')
  const { url } = await faultyServer(
    { to: 'POST', times: 1, when: 'done', meanwhile: kill, does: 'hang' },
    { before: baseUrl },
  )
  write([step], { baseUrl: url })
  const machine = () => ({ ...env, PUBCTL_BASE_URL: url, HOME: temporaryFolder() })
  const one = machine()
  const child = startBin(['catalogue', 'apply', plan], one)
  expect((await child).signal).toBe('SIGKILL')
  return { ...scene, id, sha256: step.sha256, one, two: machine() }
}

describe.each(share(kinds, 2))('a plan at a service where an edition is current %s', (_, variants) => {
  it.each(share(['another machine', 'the same machine'], 2))(
    'that was killed behind the creation of an edition sends its file from %s',
    async name => {
      const { one, two, plan, id, sha256, editionsOf, dataDir } = await killedScene(variants)
      const env = name === 'the same machine' ? one : two
      const apply = async (...more: string[]) => {
        const { exitCode, stdout, stderr } = await startBin(
          ['catalogue', 'apply', plan, '--json', '--timeout', '20s', ...more],
          env,
        )
        return { exitCode, stderr, receipts: JSON.parse(stdout) }
      }
      const [created] = (await editionsOf(id)).filter(({ version }: { version: number }) => version === 2)
      expect(created).toMatchObject({
        uploadStatus: 'upload_pending',
        isCurrentVersion: variants.length > 0,
      })
      expect(await apply()).toMatchObject({
        exitCode: 0,
        stderr: '',
        receipts: [{ outcome: 'uploaded', uploadStatus: 'available', editionId: created.id, warnings: [] }],
      })
      expect(await editionsOf(id)).toMatchObject([
        { version: 1, isCurrentVersion: false },
        { version: 2, isCurrentVersion: true, uploadStatus: 'available' },
      ])
      expect(storedHashes(dataDir)).toContain(sha256)
      expect(await apply()).toMatchObject({ exitCode: 0, receipts: [{ outcome: 'skipped' }] })
    },
  )
})

describe('a plan at a service that gives each upload intent an object of its own', () => {
  it.each(share(['create', 'edition'], 2))(
    'that was killed while the file of its %s was sent sends it again',
    async action => {
      const scene = await planScene({ variants: ['new-object-keys'] })
      const { published, editionStep, book, write, plan, env, baseUrl, listed, editionsOf, dataDir } = scene
      const file = await book('new.epub', { title: 'A Tale', paddingBytes: 2_000_000 })
      const step =
        action === 'create'
          ? createStep(file, isbn, 'A Tale')
          : await editionStep(file, isbn, (await published('A Tale', isbn)).id)
      const kill = () => void child?.kill('SIGKILL')
      const fault = { to: 'PUT', when: 'sending', meanwhile: kill } as const
      const { url } = await faultyServer(fault, { before: baseUrl })
      write([step], { baseUrl: url })
      const home = { ...env, PUBCTL_BASE_URL: url, HOME: temporaryFolder() }
      const args = ['catalogue', 'apply', plan, '--json']
      let child: ReturnType<typeof startBin> | undefined = startBin(args, home)
      expect((await child).signal).toBe('SIGKILL')
      child = undefined
      const { exitCode, stdout, stderr } = await startBin(args, home)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'uploaded', uploadStatus: 'available' }])
      const [{ publicationId }, ...more] = await listed()
      expect(more).toEqual([])
      expect((await editionsOf(publicationId)).at(-1)).toMatchObject({ uploadStatus: 'available' })
      expect(storedHashes(dataDir)).toContain(step.sha256)
    },
  )
})

describe('a plan that was carried out at a service that gives each upload intent an object of its own', () => {
  it.each(
    share(
      [
        ['SHA-256', true, 'has the same content'],
        ['size and title', false, 'has the same ISBN, size and title'],
      ] as const,
      2,
      1,
    ),
  )('is done on another machine, by %s', async (_, isRecorded, why) => {
    const scene = await planScene({ variants: ['new-object-keys'] })
    const { ok, published, editionStep, book, write, apply, freshMachine, listed, editionsOf } = scene
    if (isRecorded) await ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
    const { id } = await published('A Tale', isbn)
    const steps = [
      createStep(await book('one.epub', { title: 'One' }), '9780000000026', 'One'),
      await editionStep(await book('new.epub', { title: 'A Tale', paddingBytes: 99 }), isbn, id),
    ]
    write(isRecorded ? steps.map(recorded) : steps)
    expect(await apply()).toMatchObject({ code: 0, outcomes: ['uploaded', 'uploaded'] })
    const { code, err, receipts } = await freshMachine().apply()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { publicationId } = receipts[0] as { publicationId: string }
    expect(receipts).toMatchObject([
      { outcome: 'skipped', uploadStatus: 'available', why: `${publicationId} ${why}` },
      { outcome: 'skipped', uploadStatus: 'available', why: `${id} ${why}` },
    ])
    expect(await freshMachine().apply(['--dry-run'])).toMatchObject({ code: 0 })
    expect(await listed()).toHaveLength(2)
    expect(await editionsOf(id)).toHaveLength(2)
  })

  it('is stale there if the book with its key has another title, other authors or another content', async () => {
    const { book, write, apply, publish } = await planScene({ variants: ['new-object-keys'] })
    const steps = []
    const others = [{ title: 'Another' }, { author: ['Another'] }, { bytes: 500 }]
    for (const [at, { bytes = 99, ...other }] of others.entries()) {
      const title = `Book ${at}`
      const file = await book(`${at}.epub`, { title, paddingBytes: 99 })
      const step = createStep(file, String(9780000000000 + at), title)
      steps.push(step)
      const { edition } = step.send as { edition: object }
      const path = await book('other.epub', { title, paddingBytes: bytes })
      await publish({ edition: { ...edition, ...other } }, readFileSync(path))
    }
    write(steps)
    expect(await apply()).toMatchObject({ code: 10, outcomes: ['stale', 'stale', 'stale'] })
  })
})
