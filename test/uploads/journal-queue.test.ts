import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { openLocalJournal } from '../../src/uploads/journal/local-journal.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const caller = { target: 'https://example.org', scopeId: null, keyDigest: null }
const row = (file: string) => ({ file, editionOf: null, request: '{}' })

/** Opens one journal as often as it is called. */
function scene() {
  const path = join(temporaryFolder(), 'uploads.db')
  const key = randomBytes(32)
  return () => {
    const journal = openLocalJournal(path, { clock: systemClock, key })
    let isOpen = true
    const close = () => {
      if (isOpen) journal.close()
      isOpen = false
    }
    onTestFinished(close)
    return { ...journal, close, files: () => journal.queue.list({}).map(({ file }) => file) }
  }
}

it('a batch takes over a file that several batches have left, once', () => {
  const open = scene()
  const left = [open(), open()]
  for (const { queue } of left) queue.add(caller, [row('/a.epub'), row('/b.epub')])
  for (const { close } of left) close()
  const next = open()
  const [taken] = next.queue.add(caller, [row('/a.epub')])
  expect(next.files()).toEqual(['/a.epub', '/b.epub', '/b.epub'])
  next.queue.remove(taken?.uploadRequestId ?? '')
  expect(next.files()).toEqual(['/b.epub', '/b.epub'])
})

it('a batch leaves another process the file that it has queued, too', () => {
  const open = scene()
  const [other, next] = [open(), open()]
  other.queue.add(caller, [row('/a.epub')])
  next.queue.add(caller, [row('/a.epub')])
  expect(next.files()).toEqual(['/a.epub', '/a.epub'])
})

it('a batch that names a file twice takes over both that it has left', () => {
  const open = scene()
  const left = open()
  const ids = left.queue.add(caller, [row('/a.epub'), row('/a.epub')])
  left.close()
  expect(open().queue.add(caller, [row('/a.epub'), row('/a.epub')])).toMatchObject(ids)
})
