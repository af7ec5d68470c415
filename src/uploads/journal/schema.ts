import { claimsSchema } from './claims.ts'
import {
  byPublicationSchema,
  callerSchema,
  entrySchema,
  fewerIndexesSchema,
  namesSchema,
  objectKeysSchema,
} from './entry.ts'
import { queueSchema } from './queue.ts'
import { sealSchema } from './seal.ts'

/** The steps that make the journal, one per version. Those that were released are never changed. */
export const migrations: readonly string[] = [
  `${entrySchema}\n${claimsSchema}\n${queueSchema}`,
  byPublicationSchema,
  objectKeysSchema,
  callerSchema,
  namesSchema,
  sealSchema,
  fewerIndexesSchema,
]

/** What all steps make of nothing: for each that is altered, SQLite would read the whole schema again. */
export const newSchema = `CREATE TABLE uploads (
  number INTEGER PRIMARY KEY,
  uploadRequestId TEXT NOT NULL UNIQUE,
  target TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  file TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified REAL NOT NULL,
  sha256 TEXT,
  creation TEXT NOT NULL,
  cover TEXT NOT NULL,
  editionOf TEXT,
  stage TEXT NOT NULL,
  publicationId TEXT,
  editionId TEXT,
  uploadStatus TEXT,
  errorCode TEXT,
  errorMessage TEXT,
  startedAt INTEGER NOT NULL,
  changedAt INTEGER NOT NULL,
  objectKey TEXT,
  coverObjectKey TEXT,
  scopeId TEXT,
  keyDigest TEXT,
  mac TEXT
);
CREATE INDEX byContent ON uploads (target, sha256);
CREATE INDEX byFile ON uploads (file);
CREATE INDEX byCaller ON uploads (target, keyDigest, scopeId);
CREATE INDEX bySize ON uploads (target, bytes);
CREATE INDEX byPlanned ON uploads (target) WHERE stage = 'planned';
CREATE INDEX byPublication ON uploads (target, publicationId) WHERE publicationId IS NOT NULL;
CREATE TABLE claims (
  uploadRequestId TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  renewedAt INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE queue (
  number INTEGER PRIMARY KEY,
  uploadRequestId TEXT NOT NULL UNIQUE,
  target TEXT NOT NULL,
  file TEXT NOT NULL,
  editionOf TEXT,
  request TEXT NOT NULL,
  queuedAt INTEGER NOT NULL,
  scopeId TEXT,
  keyDigest TEXT,
  mac TEXT
);
CREATE INDEX queueByFile ON queue (target, file);`
