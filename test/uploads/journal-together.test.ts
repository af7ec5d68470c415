import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { inMemory, openDatabase } from '../../src/system/database.ts'
import { Failure } from '../../src/system/errors.ts'
import { systemClock } from '../../src/system/world.ts'
import type { NewEntry } from '../../src/uploads/journal/entry.ts'
import { groupWrites } from '../../src/uploads/journal/grouped-writes.ts'
import { openLocalJournal } from '../../src/uploads/journal/local-journal.ts'
import { migrations } from '../../src/uploads/journal/schema.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const { signal } = new AbortController()

const newEntry = (uploadRequestId: string): NewEntry => ({
  ...{ target: 'https://example.org', scopeId: null, keyDigest: null, fingerprint: uploadRequestId },
  ...{ uploadRequestId, file: `/books/${uploadRequestId}.epub`, bytes: 1, modified: 1, sha256: null },
  creation: {
    uploadRequestId,
    publicationFilename: 'one.epub',
    edition: { title: 'One', type: 'EPUB' },
  } as NewEntry['creation'],
  ...{ cover: 'none', editionOf: null },
})

/** A journal in which uploads were begun, what another process sees of their stages, and what keeps it from being written. */
async function openBegun(count: number) {
  const path = join(temporaryFolder(), 'uploads.db')
  const key = randomBytes(32)
  const open = () => openLocalJournal(path, { clock: systemClock, key })
  const [journal, other] = [open(), open()]
  const holder = openDatabase(path, {
    schema: migrations,
    unusable: trouble => new Error(trouble),
    damagedText: 'replaced',
  })
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const id of ids) await journal.begin(newEntry(id))
  let isOpen = true
  const close = () => {
    if (isOpen) journal.close()
    isOpen = false
  }
  onTestFinished(() => {
    close()
    other.close()
    holder.close()
  })
  const seen = () => ids.map(id => other.get(id)?.stage)
  return { journal, close, ids, seen, holder }
}

it('what several uploads come to at about the same time is written together, before any of them is told so', async () => {
  const { journal, ids, seen } = await openBegun(3)
  const [one, two, three] = ids as [string, string, string]
  const seenByFirst = journal.changeWhenFree(one, { stage: 'finished' }, signal).then(seen)
  const second = journal.changeWhenFree(two, { stage: 'finished' }, signal)
  expect(seen()).toEqual(['planned', 'planned', 'planned'])
  expect(await seenByFirst).toEqual(['finished', 'finished', 'planned'])
  expect(await second).toMatchObject({ uploadRequestId: two, stage: 'finished' })
  // Two of three are done, so that the last one has nobody to wait for.
  journal.release(one)
  journal.release(two)
  void journal.changeWhenFree(three, { stage: 'finished' }, signal)
  expect(seen()).toEqual(['finished', 'finished', 'finished'])
})

it('an upload that is not there any more keeps no other from being written', async () => {
  const { journal, ids, seen } = await openBegun(2)
  const [one, two] = ids as [string, string]
  journal.forget(one)
  const outcomes = await Promise.allSettled([
    journal.changeWhenFree(one, { stage: 'finished' }, signal),
    journal.changeWhenFree(two, { stage: 'finished' }, signal),
  ])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'unknown_upload' } },
    { status: 'fulfilled' },
  ])
  expect(seen()).toEqual([undefined, 'finished'])
})

it('what the service says again is written with what comes next, or soon', async () => {
  const { journal, ids, seen } = await openBegun(2)
  const [one, two] = ids as [string, string]
  const sent = await journal.changeSoon(one, { stage: 'sent', sha256: 'a' }, signal)
  expect(sent).toMatchObject({ stage: 'sent', sha256: 'a', uploadStatus: null })
  const scanning = await journal.changeSoon(one, { uploadStatus: 'scanning' }, signal)
  expect(scanning).toMatchObject({ stage: 'sent', sha256: 'a', uploadStatus: 'scanning' })
  expect(seen()).toEqual(['planned', 'planned'])
  const failed = await journal.change(one, { errorCode: 'network' })
  expect(failed).toMatchObject({ stage: 'sent', sha256: 'a', uploadStatus: 'scanning', errorCode: 'network' })
  expect(seen()).toEqual(['sent', 'planned'])
  await journal.changeSoon(two, { stage: 'sent' }, signal)
  await expect.poll(seen).toEqual(['sent', 'sent'])
})

it('of an upload that is broken off, it is written before another process may go on with it', async () => {
  const { journal, ids, seen } = await openBegun(1)
  const [one] = ids as [string]
  await journal.changeSoon(one, { stage: 'sent' }, signal)
  journal.release(one)
  expect(seen()).toEqual(['sent'])
})

it('it is written before the journal is closed', async () => {
  const { journal, close, ids, seen } = await openBegun(1)
  const [one] = ids as [string]
  await journal.changeSoon(one, { stage: 'sent' }, signal)
  close()
  expect(seen()).toEqual(['sent'])
})

it('where another process holds the journal, it is kept for the next change', async () => {
  const { journal, ids, seen, holder } = await openBegun(2)
  const [one, two] = ids as [string, string]
  await journal.changeSoon(one, { stage: 'sent' }, signal)
  holder.write(() => {
    // As it is tried in vain when it is due.
    journal.release(one)
    expect(seen()).toEqual(['planned', 'planned'])
  })
  await journal.change(two, { stage: 'created' })
  await expect.poll(seen).toEqual(['sent', 'created'])
})

it('what several uploads wait for before they go on is written together', async () => {
  const { journal, ids, seen } = await openBegun(3)
  const [one, two] = ids as [string, string, string]
  const seenByFirst = Promise.resolve(journal.change(one, { stage: 'created' })).then(seen)
  void journal.change(two, { stage: 'created' })
  expect(seen()).toEqual(['planned', 'planned', 'planned'])
  expect(await seenByFirst).toEqual(['created', 'created', 'planned'])
})

it('what the journal refuses of one upload is undone with what was to be written with it', async () => {
  const unusable = (trouble: string) => new Error(trouble)
  const db = openDatabase(inMemory, { schema: ['CREATE TABLE files (name TEXT NOT NULL);'], unusable })
  onTestFinished(db.close)
  const group = groupWrites({
    ...{ clock: systemClock, within: 50, promptly: 1 },
    ...{ transact: db.write, isAll: waiting => waiting === 2, writeRest: () => undefined },
  })
  const refused = new Failure('the journal cannot be written', { code: 'journal_unwritable', exitCode: 1 })
  const outcomes = await Promise.allSettled([
    group.addPrompt(() => db.run('INSERT INTO files (name) VALUES (?)', 'one')),
    group.addPrompt(() => {
      db.run('INSERT INTO files (name) VALUES (?)', 'two')
      throw refused
    }),
  ])
  expect(outcomes).toEqual([
    { status: 'rejected', reason: refused },
    { status: 'rejected', reason: refused },
  ])
  expect(db.all('SELECT * FROM files')).toEqual([])
})

it('an upload that could not be claimed since the journal refused it can be claimed later', async () => {
  const { journal, ids, holder } = await openBegun(1)
  const [id] = ids as [string]
  journal.release(id)
  holder.run("CREATE TRIGGER refuse BEFORE UPDATE ON uploads BEGIN SELECT RAISE(ABORT, 'refused'); END")
  await expect(journal.begin({ ...newEntry(id), modified: 2 })).rejects.toThrow(Failure)
  holder.run('DROP TRIGGER refuse')
  expect(journal.claim(id)).toBe(true)
})
