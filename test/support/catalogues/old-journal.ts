import Libsql from 'libsql'

/** What undoes each migration of the journal's schema, by the version that the migration led to. */
const undo: Readonly<Record<number, string>> = {
  4: `DROP INDEX byCaller;
ALTER TABLE uploads DROP COLUMN scopeId;
ALTER TABLE uploads DROP COLUMN keyDigest;
ALTER TABLE queue DROP COLUMN scopeId;
ALTER TABLE queue DROP COLUMN keyDigest;`,
  5: `ALTER TABLE uploads RENAME COLUMN cover TO coverWish;
ALTER TABLE claims RENAME COLUMN renewedAt TO seen;
UPDATE queue SET request = replace(request, '{"overrides":', '{"wishes":');`,
  6: `DROP INDEX bySize;
ALTER TABLE uploads DROP COLUMN mac;
ALTER TABLE queue DROP COLUMN mac;
ALTER TABLE uploads ADD COLUMN session TEXT;
ALTER TABLE uploads ADD COLUMN sessionEnds INTEGER;
UPDATE uploads SET sessionEnds = 9999999999999,
  session = '{"uploadUrl":"https://store.example.org/?X-Amz-Signature=feed","requiredHeaders":{}}';`,
  7: `DROP INDEX byPlanned;
DROP INDEX byPublication;
CREATE INDEX byPublication ON uploads (target, publicationId);
CREATE INDEX byStage ON uploads (stage);
CREATE INDEX byFingerprint ON uploads (target, fingerprint);`,
}

/** Makes a journal one of an earlier version, with the same uploads. */
export function makeJournalOlder(path: string, version: 3 | 4): void {
  const db = new Libsql(path)
  for (let from = 7; from > version; from--) db.exec(undo[from] as string)
  db.exec(`PRAGMA user_version = ${version}`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

/** The version of a journal, and its files in the queue as they are stored. */
export function storedIn(path: string): { version: number; requests: string[] } {
  const db = new Libsql(path, { readonly: true })
  const requests = db.prepare('SELECT request FROM queue ORDER BY number').all() as { request: string }[]
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  db.close()
  return { version, requests: requests.map(({ request }) => request) }
}
