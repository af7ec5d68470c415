/**
 * The tables of a journal in PostgreSQL. There is no column for the addresses of upload sessions, nor for digests of keys:
 * whoever takes an upload over asks the service for a session of its own.
 */
export const sharedJournalSchema = `CREATE TABLE pubctl.uploads (
  number bigserial PRIMARY KEY,
  "uploadRequestId" text NOT NULL UNIQUE,
  target text NOT NULL,
  "scopeId" text,
  fingerprint text NOT NULL,
  file text NOT NULL,
  bytes bigint NOT NULL,
  modified double precision NOT NULL,
  sha256 text,
  creation text NOT NULL,
  cover text NOT NULL,
  "editionOf" text,
  stage text NOT NULL,
  "publicationId" text,
  "editionId" text,
  "uploadStatus" text,
  "objectKey" text,
  "coverObjectKey" text,
  "errorCode" text,
  "errorMessage" text,
  "startedAt" bigint NOT NULL,
  "changedAt" bigint NOT NULL
);
CREATE INDEX uploads_by_publication ON pubctl.uploads (target, "publicationId");
CREATE INDEX uploads_planned ON pubctl.uploads (target) WHERE stage = 'planned';
CREATE TABLE pubctl.claims (
  "uploadRequestId" text PRIMARY KEY,
  owner uuid NOT NULL
);
CREATE INDEX claims_by_owner ON pubctl.claims (owner);`
