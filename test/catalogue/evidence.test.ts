import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realWorld } from '../../src/system/world.ts'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'
import { limitPublications } from '../support/servers/publication-limit.ts'
import { sandbox } from '../support/servers/sandbox.ts'

const header = 'file,title,author,isbn'
const row = `alpha.epub,Alpha,The Makers of pubctl,${isbns[0]}`

/** A machine with the book and its sheet. */
function publisher(env: Record<string, string>) {
  const pc = catalogue(env)
  const file = pc.book('alpha.epub', bookOf('Alpha'))
  pc.write(header, row)
  return { ...pc, file }
}

/** A service that several machines use. */
async function service() {
  const dataDir = temporaryFolder()
  const { baseUrl, key } = await sandbox({ dataDir })
  const env = { PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key('full') }
  return { env, dataDir }
}

describe('what proves that content is the same', () => {
  it('is the journal here, and size and key elsewhere, which proves nothing and is said', async () => {
    const { env } = await service()
    const here = publisher(env)
    await here.upload()
    await here.run(['publications', 'wait', (await here.plan()).steps[0]?.publicationId ?? ''])
    expect((await here.plan()).steps).toMatchObject([{ action: 'skip', proof: 'proven' }])
    const { code, steps, err } = await publisher(env).plan()
    expect({ code, steps }).toMatchObject({ code: 0, steps: [{ action: 'skip', proof: 'unproven' }] })
    expect(JSON.parse(err).warning).toMatchObject({
      code: 'not_proven',
      hint: expect.stringContaining('pubctl metadata-keys create sha256'),
    })
  })

  it('is the metadata key sha256 everywhere, which a plan fills', async () => {
    const { env } = await service()
    const here = publisher(env)
    await here.run(['metadata-keys', 'create', 'sha256'])
    const out = join(here.folder, 'plan.ndjson')
    const { steps } = await here.plan('--out', out)
    const sha256 = createHash('sha256').update(bookOf('Alpha')).digest('hex')
    expect(steps[0]).toMatchObject({ sha256, send: { edition: { metadata: { sha256 } } } })
    expect((await here.run(['catalogue', 'apply', out, '--json'])).code).toBe(0)
    const elsewhere = publisher(env)
    expect(await elsewhere.plan()).toMatchObject({ steps: [{ action: 'skip', proof: 'proven' }], err: '' })
    elsewhere.book('alpha.epub', bookOf('Alpha', 'Corrected.'))
    expect((await elsewhere.plan()).actions).toEqual(['edition'])
  })

  it.runIf(isSlow)('is the journal alone at a service that keeps no metadata', async () => {
    const { env, made } = await bookService()
    const here = publisher(env)
    expect((await here.plan()).actions).toEqual(['create'])
    await here.upload()
    expect((await here.plan()).steps).toMatchObject([{ action: 'skip', proof: 'proven' }])
    here.book('alpha.epub', bookOf('Alpha', 'Corrected.'))
    expect((await here.plan()).actions).toEqual(['edition'])

    const elsewhere = publisher(env)
    const [untold] = (await elsewhere.plan()).steps
    expect(untold).toMatchObject({ action: 'conflict', publicationId: 'p0', proof: null })
    elsewhere.write(`${header},publicationId`, `${row},p0`)
    const { steps, err } = await elsewhere.plan()
    expect(steps[0]).toMatchObject({
      action: 'conflict',
      proof: 'unproven',
      why: 'whether p0 has the same content cannot be proven',
    })
    expect(JSON.parse(err).warning.code).toBe('not_proven')
    elsewhere.write('title,author,isbn,publicationId', `Alpha,The Makers of pubctl,${isbns[0]},p0`)
    expect((await elsewhere.plan()).steps[0]).toMatchObject({
      action: 'skip',
      proof: null,
      why: 'it is p0; the service does not say its isbn',
    })
    expect(made).toHaveLength(1)
  })
})

describe('a publication that another hand has changed', () => {
  it('is read again before a change is planned, and with --refresh in any case', async () => {
    const { env } = await service()
    const here = publisher(env)
    const say = (description: string) => here.write(`${header},description`, `${row},${description}`)
    say('First')
    await here.upload()
    const [{ publicationId } = { publicationId: null }] = (await here.plan()).steps
    const change = ['publications', 'update', `${publicationId}`, '--description', 'Second', '--json']
    expect((await catalogue(env).run(change)).code).toBe(0)
    expect((await here.plan()).actions).toEqual(['skip'])
    expect((await here.plan('--refresh', '0s')).actions).toEqual(['drifted'])
    const { steps } = await here.plan('--overwrite-drifted')
    expect(steps).toMatchObject([
      { action: 'update', send: { description: 'First' }, before: { description: 'Second' } },
    ])
    expect((await catalogue(env).run([...change.slice(0, 4), 'Third', '--json'])).code).toBe(0)
    say('Third')
    expect((await here.plan()).actions).toEqual(['skip'])

    // Without the option, a record is read again within four weeks.
    expect((await catalogue(env).run([...change.slice(0, 4), 'Fourth', '--json'])).code).toBe(0)
    const inDays = async (days: number) => {
      const { clock } = realWorld(() => new AbortController().signal)
      const now = () => clock.now() + days * 86_400_000
      const { out } = await here.run(
        ['catalogue', 'plan', here.sheet, '--out', join(here.folder, 'plan.ndjson'), '--json'],
        {
          clock: { ...clock, now },
        },
      )
      return JSON.parse(out)[0].action
    }
    expect([await inDays(0), await inDays(28)]).toEqual(['skip', 'drifted'])
  })
})

describe('a publication that cannot be read', () => {
  it('is named, and a book of its title is a conflict', async () => {
    const { env } = await bookService({ to: /^GET .v1.publications\//, status: 418, body: {} })
    const here = publisher(env)
    await here.run(['publications', 'upload', '--manifest', here.sheet, '--no-wait', '--json'])
    const { actions, code, err } = await publisher(env).plan()
    expect({ actions, code }).toEqual({ actions: ['conflict'], code: 10 })
    const [warned = '', failed = ''] = err.split('\n')
    expect(JSON.parse(warned).warning).toMatchObject({
      code: 'publications_unread',
      message: expect.stringContaining('(p0)'),
    })
    expect(JSON.parse(failed).error).toMatchObject({
      code: 'publications_unread',
      message: '1 publication of the service could not be read',
    })
  })
})

describe('the limit of publications', () => {
  it('is warned of when the plan would pass it', async () => {
    const { env, dataDir } = await service()
    const here = publisher(env)
    expect((await here.plan()).err).toBe('')
    limitPublications(dataDir, 0)
    const { code, err } = await here.plan()
    expect({ code, warning: JSON.parse(err).warning }).toMatchObject({
      code: 0,
      warning: {
        code: 'publication_limit',
        message:
          'the organisation may have 0 publications and has 0; with the 1 of this plan it would have 1',
      },
    })
  })
})

describe('an upload that was begun', () => {
  it('is resumed, with the id that it has', async () => {
    const { env, made, faults } = await bookService({ to: 'PUT', status: 403 })
    const here = publisher(env)
    const failed = await here.run(['publications', 'upload', '--manifest', here.sheet, '--json'])
    expect(failed.code).not.toBe(0)
    const [begun] = (await here.plan()).steps
    expect(begun).toMatchObject({
      action: 'resume',
      uploadRequestId: made[0]?.request,
      publicationId: 'p0',
    })
    faults.length = 0
    const out = join(here.folder, 'plan.ndjson')
    await here.plan('--out', out)
    expect((await here.run(['catalogue', 'apply', out, '--json'])).code).toBe(0)
    expect((await here.plan()).actions).toEqual(['skip'])
    expect(made).toHaveLength(1)
  })

  it('is waited for once its file was sent', async () => {
    const slow = { env: { PUBCTL_SANDBOX_DELAY: '10m' } }
    const { sandbox, sheet, book, write } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(header, row)
    const { code } = await sandbox(
      ['publications', 'upload', '--manifest', sheet, '--no-wait', '--json'],
      slow,
    )
    expect(code).toBe(0)
    const { out } = await sandbox(['catalogue', 'plan', sheet, '--json'], slow)
    expect(JSON.parse(out)).toMatchObject([{ action: 'wait', uploadRequestId: expect.any(String) }])
  })
})
