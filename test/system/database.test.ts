import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase, openToRead } from '../../src/system/database.ts'
import { temporaryFolder } from '../support/pubctl.ts'

it('a database of an older version is brought up to date to be read, and not taken for none', () => {
  const path = join(temporaryFolder(), 'it.db')
  const unusable = (trouble: string) => new Error(trouble)
  const schema = ["CREATE TABLE things (name); INSERT INTO things VALUES ('old')"]
  openDatabase(path, { schema, unusable }).close()
  const db = openToRead(path, { schema: [...schema, 'ALTER TABLE things ADD COLUMN size'], unusable })
  expect(db?.all('SELECT * FROM things')).toEqual([{ name: 'old', size: null }])
  db?.close()
})
