import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/system/database.ts'
import { groupWrites } from '../../src/uploads/journal/grouped-writes.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

/** A table of numbers that differ, what writes to it in groups, and what another process sees of it. */
function openNumbers() {
  const path = join(temporaryFolder(), 'numbers.db')
  const schema = ['CREATE TABLE numbers (number INTEGER PRIMARY KEY)']
  const options = { schema, unusable: (trouble: string) => new Error(trouble) }
  const [db, other] = [openDatabase(path, options), openDatabase(path, options)]
  onTestFinished(() => {
    db.close()
    other.close()
  })
  const grouped = groupWrites(db, () => false)
  const seen = () => other.all<{ number: number }>('SELECT number FROM numbers').map(({ number }) => number)
  const add = (number: number, isBrief = false) =>
    grouped.write(() => db.run('INSERT INTO numbers VALUES (?)', number) + number, { isBrief })
  return { grouped, add, seen }
}

it('what is written at about the same time is seen together, and each has its own result', async () => {
  const { add, seen } = openNumbers()
  const seenByFirst = add(1).then(seen)
  expect(await Promise.all([add(2), add(3, true)])).toEqual([3, 4])
  expect(await seenByFirst).toEqual([1, 2, 3])
  expect(await add(4)).toBe(5)
  expect(seen()).toEqual([1, 2, 3, 4])
})

it('where one of them fails, none is said to be written, and none is', async () => {
  const { add, seen } = openNumbers()
  const outcomes = await Promise.allSettled([add(1), add(1), add(2, true)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(seen()).toEqual([])
})

it('what was asked for is written before the database is closed', () => {
  const { grouped, add, seen } = openNumbers()
  void add(1)
  grouped.flush()
  expect(seen()).toEqual([1])
})
