import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { eicar } from '../support/books/eicar.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { dataFolder, sandbox } from '../support/servers/sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof sandbox>>
// biome-ignore lint/suspicious/noExplicitAny: what the service answers is what the tests are about.
type Json = any

const pdf = makePdf({ pages: 3 })
const statusOf = async ({ ok }: Sandbox, id: string) =>
  (await ok('GET', `/v1/publications/${id}`)).item.editions[0].uploadStatus
const summaryOf = async ({ ok }: Sandbox, id: string): Promise<Json> =>
  (await ok('GET', '/v1/publications?limit=50')).items.find((item: Json) => item.publicationId === id)

describe('a book that was uploaded', () => {
  it.each(['upload_quarantine', 'upload_failed'])('ends as %s when it is named so', async status => {
    const service = await sandbox()
    const named = async (publicationFilename: string) =>
      (await service.publish({ publicationFilename })).edition.uploadStatus
    expect(await named(`${status}.epub`)).toBe(status)
    expect(await named(`not_${status}.epub`)).toBe('available')
  })

  it('passes through upload_pending and uploaded, and ends available', async () => {
    const service = await sandbox({ processingDelayMs: 40 })
    const { item, result } = await service.create()
    expect(await statusOf(service, item.id)).toBe('upload_pending')
    expect(await service.put(result, await makeExampleEpub())).toBe(200)
    const seen = new Set<string>()
    while (!seen.has('available')) seen.add(await statusOf(service, item.id))
    expect([...seen]).toEqual(['upload_pending', 'uploaded', 'available'])
  })

  it('is described by what its file says', async () => {
    const service = await sandbox()
    const bytes = await makeExampleEpub({
      title: 'A Tale',
      authors: ['Ada', 'Bob'],
      language: 'fr-CA',
      isbn: '9783161484100',
      publisher: 'House',
      description: 'About it.',
    })
    const { item, edition } = await service.publish({}, bytes)
    expect(item).toMatchObject({ language: 'French', description: 'About it.', sampleItems: [] })
    expect(edition).toMatchObject({
      title: 'A Tale',
      titleSource: 'file',
      author: ['Ada', 'Bob'],
      type: 'EPUB',
      isReflowable: true,
      version: 1,
      isCurrentVersion: true,
      status: 'live',
      uploadStatus: 'available',
      metadata: {
        fileSize: String(bytes.length),
        epubVersion: '3.0',
        spreadBehaviour: 'AUTO',
        layoutType: 'REFLOWABLE',
        isbn: '9783161484100',
        publisher: 'House',
        cover: expect.stringMatching(/^covers\//),
      },
    })
    expect(edition.navigationData.length).toBeGreaterThan(1)
    expect(edition.navigationData[1]).toEqual({
      collectionType: 'TOC',
      collectionIndex: 0,
      navigationItemId: 1,
      title: expect.any(String),
      depth: 0,
      path: [1],
      pathKey: '1',
    })
    expect(await summaryOf(service, item.id)).toMatchObject({
      title: 'A Tale',
      author: ['Ada', 'Bob'],
      status: 'live',
      uploadStatus: 'available',
      isReflowable: true,
      currentEditionId: edition.id,
      cover: edition.metadata.cover,
    })
  })

  it('says FIXED and no longer reflows when its layout is fixed', async () => {
    const service = await sandbox()
    const { item, edition } = await service.publish({}, await makeExampleEpub({ fixedLayout: true }))
    expect(edition).toMatchObject({ isReflowable: false, metadata: { layoutType: 'FIXED' } })
    const { items } = await service.ok('GET', '/v1/publications?formats=epub-fixed')
    expect(items.map(({ publicationId }: Json) => publicationId)).toEqual([item.id])
  })

  it('keeps what its creator said, metadata keys of their own included', async () => {
    const service = await sandbox()
    const { item, edition } = await service.publish(
      {
        language: 'German',
        description: 'Ours',
        edition: {
          title: 'Our Title',
          author: ['Us'],
          editionNotes: 'first',
          metadata: { publisher: 'Ours', series: { name: 'S', number: 3 }, isbn: null },
        },
      },
      await makeExampleEpub({
        title: 'Theirs',
        publisher: 'Theirs',
        description: 'Theirs',
        isbn: '9783161484100',
      }),
    )
    expect(item).toMatchObject({ language: 'German', description: 'Ours' })
    expect(edition).toMatchObject({
      title: 'Our Title',
      titleSource: 'user',
      author: ['Us'],
      editionNotes: 'first',
    })
    expect(edition.metadata).toMatchObject({
      publisher: 'Ours',
      series: { name: 'S', number: 3 },
      isbn: '9783161484100',
      epubVersion: '3.0',
    })
  })

  it('keeps what was said of it while it was processed', async () => {
    const service = await sandbox({ processingDelayMs: 30 })
    const { item, result } = await service.create()
    await service.put(result, await makeExampleEpub({ language: 'fr', description: 'Theirs' }))
    await service.ok('PATCH', `/v1/publications/${item.id}`, { language: 'Italian', description: 'Mine' })
    expect((await service.settled(item.id)).item).toMatchObject({ language: 'Italian', description: 'Mine' })
  })

  it('is called after its file when neither its creator nor its file gives a title', async () => {
    const service = await sandbox()
    const { edition } = await service.publish(
      { publicationFilename: 'Some Report.final.pdf', edition: { type: 'PDF' } },
      pdf,
    )
    expect(edition).toMatchObject({
      title: 'Some Report.final',
      titleSource: 'filename',
      uploadStatus: 'available',
      isReflowable: false,
      metadata: { pageCount: '3', layoutType: 'FIXED', fileSize: String(pdf.length) },
    })
  })

  it('is quarantined when the EICAR test string is in it, openly or in its zip', async () => {
    const service = await sandbox()
    const zipped = await makeExampleEpub({ extraEntries: { 'notes.txt': eicar } })
    for (const bytes of [eicar, zipped, Buffer.concat([pdf, eicar])]) {
      const { item, edition } = await service.publish({}, bytes)
      expect(edition).toMatchObject({
        uploadStatus: 'upload_quarantine',
        status: 'draft',
        navigationData: [],
      })
      expect((await summaryOf(service, item.id)).uploadStatus).toBe('upload_quarantine')
    }
  })

  it('has failed when it is not what its type says, or no book, or nothing at all', async () => {
    const service = await sandbox()
    const epub = await makeExampleEpub()
    for (const [type, bytes] of [
      ['PDF', epub],
      ['Audio', epub],
      ['EPUB', pdf],
      ['EPUB', 'plain text'],
      ['EPUB', ''],
      ['EPUB', epub.subarray(0, epub.length / 2)],
    ]) {
      const { edition } = await service.publish({ edition: { type } }, bytes as string)
      expect({ type, status: edition.uploadStatus }).toEqual({ type, status: 'upload_failed' })
    }
  })

  it('stays as it is when it is sent again after its outcome', async () => {
    const service = await sandbox()
    const { item, result } = await service.create()
    await service.put(result, await makeExampleEpub({ title: 'First' }))
    const before = await service.settled(item.id)
    expect(await service.put(result, eicar)).toBe(200)
    // Another book's whole way is time enough for anything to happen to this one.
    await service.publish()
    expect((await service.settled(item.id)).item).toEqual(before.item)
    const failed = await service.create()
    await service.put(failed.result, 'nothing')
    await service.settled(failed.item.id)
    expect(await service.put(failed.result, await makeExampleEpub())).toBe(200)
    await service.publish()
    expect(await statusOf(service, failed.item.id)).toBe('upload_failed')
  })

  it('is what was sent last when it is sent twice before its outcome', async () => {
    const service = await sandbox({ processingDelayMs: 60 })
    const { item, result } = await service.create()
    await service.put(result, 'nothing')
    await service.put(result, await makeExampleEpub({ title: 'Second' }))
    expect((await service.settled(item.id)).edition).toMatchObject({
      title: 'Second',
      uploadStatus: 'available',
    })
  })

  it('leaves no file behind once it is deleted', async () => {
    const dataDir = dataFolder()
    const service = await sandbox({ dataDir })
    const { item, result } = await service.create({ coverFilename: 'c.png' })
    await service.put(result.cover, 'image')
    await service.put(result, await makeExampleEpub())
    await service.settled(item.id)
    const files = () => readdirSync(join(dataDir, 'objects'))
    expect(files().length).toBeGreaterThan(1)
    expect((await service.ok('DELETE', `/v1/publications/${item.id}`)).item.id).toBe(item.id)
    expect((await service.call('GET', `/v1/publications/${item.id}`)).status).toBe(404)
    // A session outlives what it was for, as at S3; what it takes belongs to nobody.
    expect(await service.put(result, 'late')).toBe(200)
    await expect.poll(files).toEqual([])
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([])
  })
})
