// What `pubctl publications upload` is measured against, beside curl: reads, hashes and sends the books of a folder, and notes in a
// database how far it is with each of them. Its arguments are the folder, the addresses of the service and the store, and the database.
const { createHash, randomUUID } = require('node:crypto')
const { readdirSync } = require('node:fs')
const { readFile } = require('node:fs/promises')
const { join } = require('node:path')
const Database = require('libsql')
const { request } = require('undici')
const { fromBufferPromise } = require('yauzl')
const { contentsOf } = require('./contents.cjs')

const [folder, api, store, path] = /** @type {[string, string, string, string]} */ (process.argv.slice(2))
const concurrency = 4

const db = new Database(path)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
db.exec('CREATE TABLE uploads (id TEXT PRIMARY KEY, file TEXT, sha256 TEXT, title TEXT, stage TEXT)')
const insert = db.prepare('INSERT INTO uploads VALUES (?, ?, ?, ?, ?)')
const update = db.prepare('UPDATE uploads SET stage = ? WHERE id = ?')

const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }

async function upload(/** @type {string} */ file) {
  const content = await readFile(file)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const { title } = await contentsOf(await fromBufferPromise(content))
  const id = randomUUID()
  insert.run(id, file, sha256, title, 'planned')
  const creation = JSON.stringify({ uploadRequestId: id, edition: { title } })
  const created = await request(`${api}/v1/publications`, { method: 'POST', headers, body: creation })
  await created.body.json()
  update.run('created', id)
  const stored = await request(`${store}/book`, { method: 'PUT', body: content })
  await stored.body.dump()
  const edition = await request(`${api}/v1/publications/pub_1/editions/ed_1`, { headers })
  await edition.body.json()
  update.run('finished', id)
}

const files = readdirSync(folder).map(name => join(folder, name))
const sendAll = async () => {
  for (let file = files.pop(); file !== undefined; file = files.pop()) await upload(file)
}
Promise.all(Array.from({ length: concurrency }, sendAll)).then(() => db.close())
