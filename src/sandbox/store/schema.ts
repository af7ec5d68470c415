import type { Database, Migration } from '../../system/database.ts'

/**
 * The steps that make the store, one per version. Records are JSON documents in `doc`, beside the columns by which
 * they are found, filtered and sorted. Steps that were released are never changed. `replaceFixedKeys` gives a store of
 * version 1 keys of its own.
 */
export const schemaWith = (replaceFixedKeys: (db: Database) => void): readonly Migration[] => [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE users (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL) STRICT;
  CREATE TABLE api_keys (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL, doc TEXT NOT NULL
  ) STRICT;
  CREATE TABLE metadata_keys (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL
  ) STRICT;
  CREATE TABLE domains (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, domain TEXT NOT NULL UNIQUE, doc TEXT NOT NULL
  ) STRICT;
  CREATE TABLE reader_instances (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL) STRICT;
  CREATE TABLE reader_users (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL) STRICT;
  CREATE TABLE assets (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL) STRICT;

  -- by_created, by_title and by_author end in the sequence number, so that each is unique and a page can go on after it.
  -- Their indexes hold what lists are filtered by, so that rows that do not count are not read.
  CREATE TABLE publications (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL, summary TEXT NOT NULL,
    by_created TEXT NOT NULL, by_title TEXT NOT NULL, by_author TEXT NOT NULL,
    status TEXT NOT NULL, format TEXT NOT NULL, search TEXT NOT NULL
  ) STRICT;
  CREATE INDEX publications_by_created ON publications (by_created, status, format);
  CREATE INDEX publications_by_title ON publications (by_title, status, format);
  CREATE INDEX publications_by_author ON publications (by_author, status, format);
  CREATE TABLE collected (
    collection_id TEXT NOT NULL, publication_id TEXT NOT NULL REFERENCES publications (id) ON DELETE CASCADE,
    PRIMARY KEY (collection_id, publication_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX collected_by_publication ON collected (publication_id);

  CREATE TABLE editions (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    publication_id TEXT NOT NULL REFERENCES publications (id) ON DELETE CASCADE,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX editions_by_publication ON editions (publication_id);
  CREATE TABLE used_metadata (
    key TEXT NOT NULL, edition_id TEXT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    PRIMARY KEY (key, edition_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX used_metadata_by_edition ON used_metadata (edition_id);

  -- One per uploadRequestId; edition_id is null as long as there is no more than an upload intent.
  CREATE TABLE uploads (
    request_id TEXT PRIMARY KEY, type TEXT NOT NULL, filename TEXT NOT NULL,
    object_key TEXT NOT NULL UNIQUE, cover_key TEXT UNIQUE,
    edition_id TEXT UNIQUE REFERENCES editions (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  -- What may be sent by PUT, and what was: file is its name in the objects folder.
  CREATE TABLE objects (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, owner TEXT NOT NULL,
    file TEXT, bytes INTEGER, md5 TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX objects_by_owner ON objects (owner);
  CREATE TABLE jobs (
    edition_id TEXT PRIMARY KEY REFERENCES editions (id) ON DELETE CASCADE,
    step TEXT NOT NULL, due_at INTEGER NOT NULL, leased_by TEXT, leased_until INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_by_due ON jobs (due_at);

  -- Counted as they come and go, since a list that counted 100,000 rows each time would be slow.
  CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TRIGGER publication_added AFTER INSERT ON publications BEGIN
    INSERT INTO counts VALUES ('publications', 1), (substr(new.by_created, 1, 7), 1)
      ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER publication_removed AFTER DELETE ON publications BEGIN
    UPDATE counts SET n = n - 1 WHERE name IN ('publications', substr(old.by_created, 1, 7));
  END;
  CREATE TRIGGER edition_added AFTER INSERT ON editions BEGIN
    INSERT INTO counts VALUES ('editions', 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER edition_removed AFTER DELETE ON editions BEGIN
    UPDATE counts SET n = n - 1 WHERE name = 'editions';
  END;
  `,
  replaceFixedKeys,
  // What an edition was created with, as JSON; null where nobody knows.
  'ALTER TABLE uploads ADD COLUMN creation TEXT',
]

/** Every table, those first that refer to others. */
export const tables = [
  'jobs',
  'objects',
  'uploads',
  'used_metadata',
  'editions',
  'collected',
  'publications',
  'counts',
  'assets',
  'reader_users',
  'reader_instances',
  'domains',
  'metadata_keys',
  'api_keys',
  'users',
] as const
