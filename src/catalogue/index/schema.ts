/**
 * The tables of an index. `listed` is what the listing said when the publication was read, and `unread` why it could not be
 * read. `lookups` has a row for each value that a publication is looked up by. Everything can be read from the service
 * again, so a later version drops the tables and makes its own.
 */
export const indexTables = `DROP TABLE IF EXISTS about;
DROP TABLE IF EXISTS lookups;
DROP TABLE IF EXISTS publications;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE publications (
  number INTEGER PRIMARY KEY,
  publicationId TEXT NOT NULL UNIQUE,
  readAt INTEGER NOT NULL,
  unread TEXT,
  listed TEXT,
  record TEXT NOT NULL
);
CREATE INDEX publicationsByAge ON publications (readAt);
CREATE TABLE lookups (
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL REFERENCES publications ON DELETE CASCADE,
  PRIMARY KEY (field, value, number)
) WITHOUT ROWID;
CREATE INDEX lookupsOfPublication ON lookups (number);`

/**
 * From here on, `readAt` is 0 where a publication is listed and not read yet. A version that would take it for read meets a
 * newer schema and makes the index anew.
 */
export const notReadYet = 'UPDATE publications SET readAt = readAt'

/** The publications of a listing that is being compared with the index; gone when the index is closed. */
export const listingTables = `CREATE TEMP TABLE IF NOT EXISTS listing (
  publicationId TEXT PRIMARY KEY, listed TEXT NOT NULL) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS outdated (
  number INTEGER PRIMARY KEY, publicationId TEXT NOT NULL UNIQUE, kind TEXT NOT NULL);
DELETE FROM listing;
DELETE FROM outdated;`
