import { readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inMemory, openDatabase, openToRead } from '../../src/system/database.ts'
import { freeDatabases } from '../../src/system/free-databases.ts'
import { bundleScript, startScript } from '../support/machine/child-script.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

it('a database of an older version is brought up to date to be read, and not taken for none', () => {
  const path = join(temporaryFolder(), 'it.db')
  const unusable = (trouble: string) => new Error(trouble)
  const schema = ["CREATE TABLE things (name); INSERT INTO things VALUES ('old')"]
  openDatabase(path, { schema, unusable }).close()
  const db = openToRead(path, { schema: [...schema, 'ALTER TABLE things ADD COLUMN size'], unusable })
  expect(db?.all('SELECT * FROM things')).toEqual([{ name: 'old', size: null }])
  db?.close()
})

it('what a migration takes out is nowhere in the file afterwards, not even between rows that were moved', () => {
  const path = join(temporaryFolder(), 'it.db')
  const unusable = (trouble: string) => new Error(trouble)
  const first = openDatabase(path, {
    schema: ['CREATE TABLE things (name TEXT, secret TEXT, size TEXT)'],
    unusable,
  })
  const rows = Array.from({ length: 60 }, (_, at) => 'n'.repeat(100 + ((at * 37) % 90)))
  first.write(() => {
    for (const name of rows) first.run('INSERT INTO things VALUES (?, NULL, ?)', name, name)
  })
  first.run("UPDATE things SET secret = 'a secret of ' || length(name)")
  first.run("UPDATE things SET size = 'long ' || size")
  first.close()
  expect(readFileSync(path, 'latin1')).toContain('a secret of 100')
  const without = 'PRAGMA secure_delete = ON; ALTER TABLE things DROP COLUMN secret'
  openDatabase(path, { schema: ['', without], unusable }).close()
  expect(readFileSync(path, 'latin1')).not.toContain('a secret of')
  const db = openToRead(path, { schema: ['', without], unusable })
  expect(db?.all('SELECT name FROM things')).toEqual(rows.map(name => ({ name })))
  db?.close()
})

it('a text with a zero character is found by what was read of it, so that pages behind it end', () => {
  const db = openDatabase(inMemory, {
    schema: ['CREATE TABLE things (name TEXT)'],
    unusable: trouble => new Error(trouble),
  })
  db.run('INSERT INTO things VALUES (?)', 'one\0two')
  const [read] = db.all<{ name: string }>('SELECT name FROM things')
  expect(db.all('SELECT name FROM things WHERE name = ?', read?.name ?? '')).toEqual([read])
  expect(db.all('SELECT name FROM things WHERE name = ?', 'one\0two')).toEqual([read])
  expect(db.all('SELECT name FROM things WHERE name > ?', read?.name ?? '')).toEqual([])
  db.close()
})

it('a query of all columns that finds nothing at first finds what is there later, and then nothing again', () => {
  const db = openDatabase(inMemory, {
    schema: ['CREATE TABLE things (name TEXT, size INTEGER)'],
    unusable: trouble => new Error(trouble),
  })
  const found = () => db.all('SELECT * FROM things WHERE name = ? ORDER BY size DESC LIMIT 2', 'naïve')
  const first = () => db.get('SELECT * FROM things WHERE name IS NOT ?', null)
  expect([found(), first()]).toEqual([[], undefined])
  for (const size of [1, 2, 3]) db.run('INSERT INTO things VALUES (?, ?)', 'naïve', size)
  expect(found()).toEqual([3, 2].map(size => ({ name: 'naïve', size })))
  expect(first()).toMatchObject({ name: 'naïve', size: 1 })
  db.run('DELETE FROM things')
  expect([found(), first()]).toEqual([[], undefined])
  db.close()
})

const writer = `
import { openDatabase } from '../../src/system/database.ts'
const [, , path, name, times] = process.argv
const schema = ['CREATE TABLE counter (value INTEGER); CREATE TABLE writes (value INTEGER PRIMARY KEY, writer TEXT)']
const seed = db => void db.run('INSERT INTO counter VALUES (0)')
const db = openDatabase(path, { schema, seed, unusable: trouble => new Error(trouble) })
for (let turn = 0; turn < Number(times); turn++) {
  db.write(() => {
    const { value } = db.get('SELECT value FROM counter')
    db.run('INSERT INTO writes VALUES (?, ?)', value, name)
    db.run('UPDATE counter SET value = ?', value + 1)
  })
}
db.close()
`

it.runIf(isSlow)(
  'a database that eight processes create and write to at once loses no write, and none of them gives up',
  async () => {
    const folder = temporaryFolder()
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
    const [script, path] = [join(folder, 'writer.mjs'), join(folder, 'it.db')]
    await bundleScript(writer, script)
    const names = Array.from({ length: 8 }, (_, index) => `writer ${index}`)
    await Promise.all(names.map(name => startScript(script, [path, name, '150']).done))
    const db = openToRead(path, { schema: ['the same'], unusable: trouble => new Error(trouble) })
    expect(db?.get('SELECT value FROM counter')).toMatchObject({ value: 8 * 150 })
    expect(db?.all('SELECT writer, count(*) AS writes FROM writes GROUP BY writer')).toEqual(
      names.map(writer => ({ writer, writes: 150 })),
    )
    db?.close()
  },
)

it.runIf(process.platform === 'linux')(
  'a database that is closed lets go of its files once it is freed',
  async () => {
    const path = join(temporaryFolder(), 'some.db')
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter(name => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`).startsWith(path)
        } catch {
          return false
        }
      })
    const use = () => {
      const db = openDatabase(path, {
        schema: ['CREATE TABLE a (b)'],
        unusable: trouble => new Error(trouble),
      })
      db.all('SELECT * FROM a')
      db.close()
    }
    use()
    // What Windows deletes no folder with.
    expect(openFiles()).not.toEqual([])
    await freeDatabases()
    expect(openFiles()).toEqual([])
  },
)
