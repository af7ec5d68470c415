import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Database, openToRead, type SqlValue } from '../../src/system/database.ts'
import { systemClock } from '../../src/system/world.ts'
import { openClaims } from '../../src/uploads/journal/claims.ts'
import type { NewEntry } from '../../src/uploads/journal/entry.ts'
import { openLocalJournal } from '../../src/uploads/journal/local-journal.ts'
import { readerOf } from '../../src/uploads/journal/local-reader.ts'
import { openSeal } from '../../src/uploads/journal/seal.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const caller = { target: 'https://service.example', scopeId: 'scope', keyDigest: 'digest' }

const newEntry = (number: number): NewEntry => ({
  ...caller,
  uploadRequestId: randomUUID(),
  fingerprint: `fingerprint ${number}`,
  file: `/books/${number}.epub`,
  bytes: number,
  modified: number,
  sha256: `${number}`.padStart(64, '0'),
  creation: {
    uploadRequestId: '',
    publicationFilename: 'book.epub',
    edition: { type: 'EPUB', title: `Book ${number}` },
  },
  cover: 'none',
  editionOf: null,
})

/** A journal with uploads, and the ways in which SQLite finds what a question to it asks for. */
async function recordedJournal() {
  const path = join(temporaryFolder(), 'uploads.db')
  const key = randomBytes(32)
  const journal = openLocalJournal(path, { clock: systemClock, key })
  const entries = [1, 2, 3].map(newEntry)
  for (const entry of entries) {
    await journal.begin(entry)
    await journal.change(entry.uploadRequestId, { stage: 'sent' })
  }
  journal.close()
  const unusable = (trouble: string) => new Error(trouble)
  const version = openToRead(path, { schema: Array<string>(7).fill(''), unusable })
  if (version === undefined) throw new Error('the journal has another version')
  onTestFinished(version.close)
  const ways: string[] = []
  const explained =
    (ask: Database['all'] | Database['get']) =>
    (sql: string, ...values: SqlValue[]) => {
      const steps = version.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
      ways.push(steps.map(({ detail }) => detail).join('; '))
      return ask(sql, ...values)
    }
  const db = { get: explained(version.get), all: explained(version.all) } as Pick<Database, 'get' | 'all'>
  const claims = openClaims(version, Date.now)
  const reader = readerOf({ db, seal: openSeal(key, () => undefined) }, claims, { list: () => [] })
  return { reader, entries, ways }
}

it('what is asked for each book reads no more of the journal, however long it is', async () => {
  const { reader, entries, ways } = await recordedJournal()
  const [entry] = entries as [NewEntry]
  const { file, sha256, bytes, modified, uploadRequestId } = entry
  expect(reader.findSame(entry, new Set())).toMatchObject({ file })
  expect(reader.findSent(caller, { file, sha256: null })).toMatchObject([{ file }])
  expect(reader.findSent(caller, { file: null, sha256 })).toMatchObject([{ file }])
  expect(reader.findSent(caller, { file, sha256 })).toHaveLength(1)
  expect(reader.hasSize(caller.target, bytes)).toBe(true)
  expect(reader.scopeOf(caller)).toBe('scope')
  expect(reader.knownHash(file, bytes, modified)).toBe(sha256)
  expect(reader.get(uploadRequestId)).toMatchObject({ file })
  expect(reader.hasForeign(uploadRequestId)).toBe(false)
  expect(reader.findPublication(caller, 'pub_1')).toEqual([])
  expect(ways.length).toBeGreaterThan(9)
  for (const way of ways) {
    // Many uploads are to the same service, and in the same stage.
    expect(way).not.toMatch(/SCAN|\((?:target|stage)=\?\)/)
    // A range of them is read as far as is needed, and not sorted.
    if (way.includes('>?')) expect(way).not.toContain('ORDER BY')
  }
})
