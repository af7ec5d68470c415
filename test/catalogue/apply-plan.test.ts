import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createStep, planStep } from '../support/catalogues/plan-file.ts'
import { planScene } from '../support/catalogues/plan-scene.ts'
import { isSlow } from '../support/machine/slow.ts'

const isbn = '9780000000019'

describe('catalogue apply', () => {
  it('uploads new books, and does nothing the second time, from another machine neither', async () => {
    const { book, write, apply, listed, freshMachine } = await planScene()
    const one = await book('one.epub', { title: 'One' })
    const two = await book('two.epub', { title: 'Two' })
    write([
      createStep(one, isbn, 'One'),
      createStep(two, '9780000000026', 'Two'),
      planStep({ key: '3', action: 'skip' }),
    ])
    const first = await apply()
    expect(first).toMatchObject({ code: 0, err: '', outcomes: ['uploaded', 'uploaded'] })
    expect(first.receipts[0]).toMatchObject({ file: one, key: isbn, uploadStatus: 'available' })
    expect(await apply()).toMatchObject({ code: 0, err: '', outcomes: ['skipped', 'skipped'] })
    expect(await freshMachine().apply()).toMatchObject({ code: 0, outcomes: ['skipped', 'skipped'] })
    expect(await listed()).toHaveLength(2)
  })

  it('adds an edition once', async () => {
    const { book, write, apply, published, editionStep, editionsOf, freshMachine } = await planScene()
    const { id } = await published('A Tale', isbn)
    write([await editionStep(await book('new.epub', { title: 'A Tale', paddingBytes: 99 }), isbn, id)])
    expect(await apply()).toMatchObject({
      code: 0,
      outcomes: ['uploaded'],
      receipts: [{ publicationId: id }],
    })
    expect(await apply()).toMatchObject({ code: 0, outcomes: ['skipped'] })
    expect(await freshMachine().apply()).toMatchObject({ code: 0, outcomes: ['skipped'] })
    expect(await editionsOf(id)).toHaveLength(2)
  })

  it('takes an edition with the same content and the same fields for done, whoever made it', async () => {
    const { book, write, apply, published, editionStep, editionsOf, ok, put, settled } = await planScene()
    await ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
    const { id } = await published('A Tale', isbn)
    const file = await book('new.epub', { title: 'A Tale', paddingBytes: 99 })
    const step = await editionStep(file, isbn, id)
    write([step])
    const { edition, ...send } = step.send as { edition: { metadata: object } }
    const { result, item } = await ok('POST', `/v1/publications/${id}/editions`, {
      ...send,
      uploadRequestId: '11111111-1111-4111-8111-111111111111',
      edition: { ...edition, metadata: { ...edition.metadata, sha256: step.sha256 } },
    })
    await put(result, readFileSync(file))
    await settled(id, item.editions.find(({ version }: { version: number }) => version === 2).id)
    expect(await apply()).toMatchObject({
      code: 0,
      receipts: [{ outcome: 'skipped', why: `${id} has the same content` }],
    })
    expect(await editionsOf(id)).toHaveLength(2)
  })

  it('changes what differs, and only that, and takes what is there already for done', async () => {
    const { write, apply, published, updateStep, publication } = await planScene()
    const { id } = await published('A Tale', isbn)
    write([{ ...(await updateStep(isbn, id, 'As it shall be')), author: ['Ann'] }])
    expect(await apply()).toMatchObject({
      code: 0,
      receipts: [{ file: null, key: isbn, outcome: 'updated', publicationId: id, author: ['Ann'] }],
    })
    expect(await publication(id)).toMatchObject({ description: 'As it shall be' })
    expect(await apply()).toMatchObject({ code: 0, outcomes: ['skipped'] })
  })

  it('counts what needs nobody, and says with receipts what needs somebody, without failing', async () => {
    const { write, plan, apply, run } = await planScene()
    write([
      planStep({ key: '1', action: 'skip' }),
      planStep({ key: '2', title: 'A Print', action: 'ignored', why: 'it is not a digital book' }),
      planStep({ key: '3', action: 'conflict', why: 'two rows have it', hint: 'Leave one out.' }),
      planStep({ key: '4', action: 'no-file', why: 'it has no file' }),
      planStep({ key: '5', action: 'blocked', why: 'its title differs' }),
      planStep({ key: '6', action: 'broken', why: 'its ISBN is wrong' }),
    ])
    const { code, receipts } = await apply()
    expect(code).toBe(0)
    expect(receipts).toMatchObject([
      { key: '2', title: 'A Print', outcome: 'skipped', why: 'it is not a digital book', error: null },
      {
        key: '3',
        outcome: 'conflict',
        error: { code: 'conflict', message: 'two rows have it. Leave one out.' },
      },
      { key: '4', outcome: 'conflict', error: { code: 'no_file' } },
      { key: '5', outcome: 'conflict', error: { code: 'blocked' } },
      { key: '6', outcome: 'conflict', error: { code: 'broken' } },
    ])
    const { err } = await run(['catalogue', 'apply', plan])
    expect(err).toContain('Left as planned: 1 skip.')
    expect(err).toContain('Not carried out: 1 blocked, 1 conflict, 1 no-file, 1 broken.')
  })
})

describe('a step is stale, and the rest is carried out,', () => {
  it('when its file has changed, and not when it was only touched', async () => {
    const { book, write, apply, listed } = await planScene()
    const changed = await book('changed.epub', { title: 'Changed' })
    const touched = await book('touched.epub', { title: 'Touched' })
    write([createStep(changed, isbn, 'Changed'), createStep(touched, '9780000000026', 'Touched')])
    const { mtimeMs, size } = statSync(changed)
    const bytes = readFileSync(changed)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(changed, bytes)
    utimesSync(changed, mtimeMs / 1000, mtimeMs / 1000)
    expect(readFileSync(changed)).toHaveLength(size)
    utimesSync(touched, 1, 1)
    const { code, err, receipts } = await apply()
    expect(code).toBe(10)
    expect(receipts).toMatchObject([
      { outcome: 'stale', error: { code: 'stale' }, uploadStatus: null },
      { outcome: 'uploaded', error: null },
    ])
    const { error } = JSON.parse(err)
    expect(error).toMatchObject({ code: 'part_failed', exitCode: 10 })
    expect(error.details[0].message).toBe(
      `${changed} was not carried out: its file changed since the plan was made`,
    )
    expect(await listed()).toHaveLength(1)
  })

  it('when another hand changed the publication', async () => {
    const { book, write, apply, published, updateStep, editionStep, ok, publication } = await planScene()
    const one = await published('One', isbn)
    const two = await published('Two', '9780000000026')
    const three = await published('Three', '9780000000033')
    const gone = await published('Gone', '9780000000040')
    const file = await book('two.epub', { title: 'Two', paddingBytes: 99 })
    write([
      await updateStep(isbn, one.id, 'As it shall be'),
      await editionStep(file, '9780000000026', two.id),
      await updateStep('9780000000033', three.id, 'As it shall be'),
      await updateStep('9780000000040', gone.id, 'As it shall be'),
    ])
    await ok('PATCH', `/v1/publications/${one.id}`, { description: 'By another hand' })
    await ok('PATCH', `/v1/publications/${two.id}`, { language: 'French' })
    await ok('DELETE', `/v1/publications/${gone.id}`)
    const { code, receipts } = await apply()
    expect({ code, outcomes: receipts.map(({ outcome }) => outcome) }).toEqual({
      code: 10,
      outcomes: ['stale', 'stale', 'updated', 'stale'],
    })
    expect(receipts.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('its description changed'),
      expect.stringContaining('its language changed'),
      undefined,
      expect.stringContaining('is no longer at the service'),
    ])
    expect(await publication(one.id)).toMatchObject({ description: 'By another hand' })
    expect((await publication(two.id)).editions).toHaveLength(1)
  })

  it('when another hand added an edition', async () => {
    const { book, write, apply, published, editionStep, ok, put, settled, editionsOf } = await planScene()
    const { id } = await published('A Tale', isbn)
    const step = await editionStep(await book('new.epub', { title: 'A Tale', paddingBytes: 99 }), isbn, id)
    write([step])
    const { result, item } = await ok('POST', `/v1/publications/${id}/editions`, {
      ...step.send,
      uploadRequestId: '11111111-1111-4111-8111-111111111111',
    })
    await put(result, readFileSync(await book('other.epub', { title: 'A Tale', paddingBytes: 500 })))
    await settled(id, item.editions.find(({ version }: { version: number }) => version === 2).id)
    expect(await apply()).toMatchObject({ code: 10, outcomes: ['stale'] })
    expect(await editionsOf(id)).toHaveLength(2)
  })

  it.each([
    ['under the same title', 'A Tale'],
    ['under another title', 'Quite Another Tale'],
  ])('when its key has appeared %s', async (_, title) => {
    const { book, write, apply, published, listed } = await planScene()
    write([createStep(await book('new.epub', { title: 'A Tale' }), isbn, 'A Tale')])
    const { id } = await published(title, isbn)
    const { code, receipts } = await apply()
    expect(code).toBe(10)
    expect(receipts).toMatchObject([{ outcome: 'stale', error: { code: 'stale' } }])
    expect(receipts[0]?.error?.message).toContain(
      `${id} is not as it was when the plan was made: it has the ISBN ${isbn}`,
    )
    expect(await listed()).toHaveLength(1)
  })

  it('when the metadata key that books are matched by has its value, and not when another one has', async () => {
    const { book, write, apply, publish, ok } = await planScene()
    for (const key of ['reference', 'shelf']) await ok('POST', '/v1/resources/metadata-keys', { key })
    const steps = []
    for (const key of ['BK-1', 'BK-2']) {
      const step = createStep(await book(`${key}.epub`, { title: key }), key, key)
      const metadata = { reference: key, shelf: key }
      steps.push({
        ...step,
        send: { ...step.send, edition: { type: 'EPUB', title: key, metadata } } as never,
      })
    }
    write(steps, { match: 'reference' })
    await publish({ edition: { title: 'One', metadata: { reference: 'BK-1' } } })
    await publish({ edition: { title: 'Two', metadata: { shelf: 'BK-2' } } })
    expect(await apply()).toMatchObject({ code: 10, outcomes: ['stale', 'uploaded'] })
  })

  it('when what the plan has uploaded was deleted again', async () => {
    const { book, write, apply, ok, listed } = await planScene()
    write([createStep(await book('new.epub', { title: 'A Tale' }), isbn, 'A Tale')])
    const [receipt] = (await apply()).receipts
    await ok('DELETE', `/v1/publications/${receipt?.publicationId}`)
    expect(await apply()).toMatchObject({ code: 10, outcomes: ['stale'] })
    expect(await listed()).toHaveLength(0)
  })
})

describe('a plan is carried out', () => {
  it.runIf(isSlow)('with many books of one title, each with its own key', async () => {
    const { book, write, apply, listed, freshMachine } = await planScene()
    const steps = []
    for (let year = 1; year <= 12; year++) {
      const file = await book(`${year}.epub`, { title: 'Annual Report', paddingBytes: year })
      steps.push(createStep(file, String(9780000000000 + year), 'Annual Report'))
    }
    write(steps)
    expect((await apply()).outcomes).toEqual(Array(12).fill('uploaded'))
    expect((await freshMachine().apply()).outcomes).toEqual(Array(12).fill('skipped'))
    expect(await listed()).toHaveLength(12)
  })

  it('as far as files are there: one that is gone fails, and it stands in the receipts', async () => {
    const { book, write, apply, run, plan } = await planScene()
    const file = await book('new.epub', { title: 'A Tale' })
    write([createStep(file, isbn, 'A Tale'), createStep(await book('b.epub', { title: 'B' }), '2', 'B')])
    rmSync(file)
    expect(await apply()).toMatchObject({
      code: 10,
      receipts: [{ outcome: 'failed', error: { code: 'file_unreadable' } }, { outcome: 'uploaded' }],
    })
    const { err } = await run(['catalogue', 'apply', plan])
    expect(err).toContain(`To try again what failed: pubctl catalogue apply ${plan}\n`)
  })

  it('with the upload that the journal knows, and anew where another journal knows it', async () => {
    const { book, write, apply, freshMachine, listed, run } = await planScene()
    const file = await book('begun.epub', { title: 'Begun' })
    const { code } = await run(['publications', 'upload', file, '--no-wait'])
    expect(code).toBe(0)
    const [entry] = JSON.parse((await run(['uploads', 'list', '--all', '--json'])).out)
    write([planStep({ key: isbn, action: 'wait', file, uploadRequestId: entry.uploadRequestId })])
    expect(await apply()).toMatchObject({ code: 0, receipts: [{ uploadStatus: 'available' }] })
    expect(await freshMachine().apply()).toMatchObject({ code: 10, outcomes: ['stale'] })
    const other = await book('other.epub', { title: 'Other' })
    write([createStep(other, isbn, 'Other', { action: 'resume' })])
    expect(await freshMachine().apply()).toMatchObject({ code: 0, outcomes: ['uploaded'] })
    expect(await listed()).toHaveLength(2)
  })
})
