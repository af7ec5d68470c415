import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/queue/postgres/postgres.ts'
import { sharedJournalSchema } from '../../src/queue/schema.ts'
import { openSharedJournal } from '../../src/queue/shared-journal.ts'
import { systemClock } from '../../src/system/world.ts'
import type { NewEntry, Session } from '../../src/uploads/journal/entry.ts'
import type { Journal } from '../../src/uploads/journal/journal.ts'
import { openLocalJournal } from '../../src/uploads/journal/local-journal.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { usePostgres } from '../support/servers/postgres.ts'

const postgres = usePostgres(isSlow)
const { signal } = new AbortController()

interface Kind {
  /** Opens the same journal once more, as another process does. */
  open(): Promise<Journal>
  /** Everything that is stored, as text. */
  stored(): Promise<string>
}

const hide = (text: string) => text.replaceAll('s3cret', '***')

async function sharedKind(): Promise<Kind> {
  const url = await postgres.database()
  const { query, close } = await openPostgres({
    ...{ url, connections: 4, clock: systemClock, signal },
    ...{ env: {}, home: temporaryFolder() },
  })
  onTestFinished(close)
  await query('CREATE SCHEMA pubctl')
  await postgres.query(url, sharedJournalSchema)
  return {
    open: async () => openSharedJournal({ query, owner: randomUUID(), clock: systemClock, hide }),
    stored: async () =>
      JSON.stringify([
        await query('SELECT * FROM pubctl.uploads'),
        await query('SELECT * FROM pubctl.claims'),
      ]),
  }
}

async function localKind(): Promise<Kind> {
  const key = randomBytes(32)
  const path = join(temporaryFolder(), 'uploads.db')
  return {
    open: async () => {
      const journal = openLocalJournal(path, { clock: systemClock, key, hide })
      let isOpen = true
      const close = () => {
        if (isOpen) journal.close()
        isOpen = false
      }
      onTestFinished(close)
      return { ...journal, close }
    },
    stored: async () =>
      readdirSync(dirname(path))
        .map(name => readFileSync(join(dirname(path), name), 'latin1'))
        .join('\n'),
  }
}

const caller = { target: 'https://example.org', scopeId: 'scope-1', keyDigest: null }

const newEntry = (changes: Partial<NewEntry> = {}): NewEntry => ({
  ...caller,
  uploadRequestId: randomUUID(),
  fingerprint: 'print',
  file: '/books/one.epub',
  bytes: 5_000_000_000,
  modified: 1_700_000_000_000.5,
  sha256: 'a'.repeat(64),
  creation: {
    uploadRequestId: '',
    publicationFilename: 'one.epub',
    edition: { title: 'One 🙂', type: 'EPUB', metadata: { isbn: '9780000000002' } },
  } as NewEntry['creation'],
  cover: 'none',
  editionOf: null,
  ...changes,
})

const session: Session = {
  uploadUrl: 'https://store.example.org/one?X-Amz-Signature=feed',
  requiredHeaders: { 'content-type': 'application/epub+zip' },
  objectKey: 'objects/one',
  expiresIn: 900,
  cover: { uploadUrl: 'https://store.example.org/cover', requiredHeaders: {}, objectKey: 'objects/cover' },
}

const kinds = [
  ['on this machine', localKind],
  ['in PostgreSQL', sharedKind],
] as const

describe.each(share(kinds, kinds.length))('the journal %s', (_, make) => {
  it('gives an upload back as it was begun', async () => {
    const { open } = await make()
    const [journal, other] = [await open(), await open()]
    const entry = newEntry()
    const begun = await journal.begin(entry)
    expect(begun).toMatchObject({ isNew: true, isClaimed: true, isChanged: false })
    const creation = { ...entry.creation, uploadRequestId: entry.uploadRequestId }
    const expected = { ...entry, creation, stage: 'planned', publicationId: null, session: null }
    expect(begun.entry).toMatchObject(expected)
    expect(await other.get(entry.uploadRequestId)).toEqual(begun.entry)
    expect(await other.get(randomUUID())).toBeUndefined()
  })

  it('lets one of ten processes begin an upload, and the others see who has it', async () => {
    const { open } = await make()
    const journals = await Promise.all(Array.from({ length: 10 }, open))
    const entry = newEntry()
    const begun = await Promise.all(journals.map(journal => journal.begin(entry)))
    expect(begun.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(begun.filter(({ isClaimed }) => isClaimed)).toHaveLength(1)
    const taken = await Promise.all(journals.map(journal => journal.isTaken(entry.uploadRequestId)))
    expect(taken.filter(Boolean)).toHaveLength(9)
    expect(taken).toEqual(begun.map(({ isClaimed }) => !isClaimed))
  })

  it('refuses the second claim of the process that has it', async () => {
    const { open } = await make()
    const journal = await open()
    const entry = newEntry()
    await journal.begin(entry)
    expect(await journal.claim(entry.uploadRequestId)).toBe(false)
    expect(await journal.begin(entry)).toMatchObject({ isClaimed: false, isNew: false })
    await journal.release(entry.uploadRequestId)
    expect(await journal.claim(entry.uploadRequestId)).toBe(true)
  })

  it('gives what is released, or whose process has ended, to the next', async () => {
    const { open } = await make()
    const [journal, other, third] = [await open(), await open(), await open()]
    const { uploadRequestId } = (await journal.begin(newEntry())).entry
    expect(await other.claim(uploadRequestId)).toBe(false)
    await journal.release(uploadRequestId)
    await expect.poll(() => other.claim(uploadRequestId)).toBe(true)
    expect(await third.claim(uploadRequestId)).toBe(false)
    await other.renew()
    await other.close()
    expect(await third.claim(uploadRequestId)).toBe(true)
  })

  it('stores how far an upload came, and only for the process that has claimed it', async () => {
    const { open } = await make()
    const [journal, other] = [await open(), await open()]
    const { uploadRequestId } = (await journal.begin(newEntry())).entry
    const created = {
      stage: 'created',
      publicationId: 'pub-1',
      editionId: 'ed-1',
      objectKey: 'objects/one',
    } as const
    expect(await journal.change(uploadRequestId, created)).toMatchObject(created)
    expect(await other.get(uploadRequestId)).toMatchObject(created)
    await expect(
      (async () => await other.change(uploadRequestId, { stage: 'sent' }))(),
    ).rejects.toMatchObject({
      code: 'upload_taken',
    })
    const sent = await journal.changeWhenFree(
      uploadRequestId,
      { stage: 'sent', uploadStatus: 'uploaded' },
      signal,
    )
    expect(sent).toMatchObject({ ...created, stage: 'sent', uploadStatus: 'uploaded' })
    const scanning = await journal.changeSoon(uploadRequestId, { uploadStatus: 'scanning' }, signal)
    expect(scanning).toMatchObject({ ...created, stage: 'sent', uploadStatus: 'scanning' })
    await journal.changeWhenFree(uploadRequestId, { stage: 'finished' }, signal)
    expect(await other.get(uploadRequestId)).toMatchObject({ stage: 'finished', uploadStatus: 'scanning' })
    await expect((async () => await other.change(randomUUID(), { stage: 'sent' }))()).rejects.toMatchObject({
      code: 'unknown_upload',
    })
  })

  it('has the session for the process that sends', async () => {
    const { open, stored } = await make()
    const journal = await open()
    const { uploadRequestId } = (await journal.begin(newEntry())).entry
    const ends = Date.now() + 900_000
    const changed = await journal.change(uploadRequestId, { stage: 'created', session, sessionEnds: ends })
    expect(changed).toMatchObject({ session, sessionEnds: ends })
    expect(await journal.change(uploadRequestId, { uploadStatus: 'upload_pending' })).toMatchObject({
      session,
    })
    expect(await stored()).not.toMatch(/X-Amz|store\.example/)
    expect(await journal.change(uploadRequestId, { session: null, sessionEnds: null })).toMatchObject({
      session: null,
      sessionEnds: null,
    })
  })

  it('takes the new place and size of a file that is begun again', async () => {
    const { open } = await make()
    const [journal, other] = [await open(), await open()]
    const entry = newEntry()
    await journal.begin(entry)
    await journal.release(entry.uploadRequestId)
    const moved = { ...entry, file: '/elsewhere/one.epub' }
    await expect.poll(() => other.claim(entry.uploadRequestId)).toBe(true)
    await other.release(entry.uploadRequestId)
    expect(await other.begin(moved)).toMatchObject({
      ...{ isNew: false, isClaimed: true, isChanged: false },
      entry: { file: '/elsewhere/one.epub' },
    })
    await other.release(entry.uploadRequestId)
    await expect.poll(() => journal.claim(entry.uploadRequestId)).toBe(true)
    await journal.release(entry.uploadRequestId)
    expect(await journal.begin({ ...moved, bytes: 7, modified: 8 })).toMatchObject({
      isChanged: true,
      entry: { bytes: 7, modified: 8 },
    })
  })

  it('finds what was uploaded to a publication, latest first, and nothing of other organisations', async () => {
    const { open } = await make()
    const journal = await open()
    const ids: string[] = []
    for (const scopeId of ['scope-1', 'scope-2', 'scope-1']) {
      const { uploadRequestId } = (await journal.begin(newEntry({ scopeId }))).entry
      await journal.change(uploadRequestId, { stage: 'created', publicationId: 'pub-1' })
      if (scopeId === caller.scopeId) ids.unshift(uploadRequestId)
    }
    const found = await journal.findPublication(caller, 'pub-1')
    expect(found.map(({ uploadRequestId }) => uploadRequestId)).toEqual(ids)
    expect(
      await journal.findPublication({ ...caller, target: 'https://other.example.org' }, 'pub-1'),
    ).toEqual([])
  })

  it('lists what is planned only, and forgets', async () => {
    const { open } = await make()
    const journal = await open()
    const [one, two] = [newEntry(), newEntry()]
    for (const each of [one, two]) await journal.begin(each)
    await journal.change(one.uploadRequestId, { stage: 'created' })
    const planned = await journal.listPlanned(caller.target)
    expect(planned.map(({ uploadRequestId }) => uploadRequestId)).toEqual([two.uploadRequestId])
    expect(await journal.listPlanned('https://other.example.org')).toEqual([])
    expect(await journal.forget(one.uploadRequestId)).toBe(true)
    expect(await journal.forget(one.uploadRequestId)).toBe(false)
    expect(await journal.get(one.uploadRequestId)).toBeUndefined()
  })

  it('hides secrets in what the service says', async () => {
    const { open } = await make()
    const journal = await open()
    const { uploadRequestId } = (await journal.begin(newEntry())).entry
    const changed = await journal.change(uploadRequestId, {
      errorCode: 'x',
      errorMessage: 'the key s3cret is bad',
    })
    expect(changed.errorMessage).toBe('the key *** is bad')
  })
})
