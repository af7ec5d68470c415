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

/** The schema of the jobs, which graphile-worker keeps for itself. */
export const jobsSchema = 'pubctl_jobs'

/** The migrations from each version of the tables to the next. */
export const queueTables: readonly string[] = [
  `CREATE TABLE pubctl.plans (
  "planId" uuid PRIMARY KEY,
  "baseUrl" text NOT NULL,
  "scopeId" text,
  match text NOT NULL,
  made text NOT NULL,
  root text,
  -- Whether the publications that were created after the plan was made are in "created".
  "isCompared" boolean NOT NULL DEFAULT false,
  "loadedAt" timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE pubctl.steps (
  id uuid PRIMARY KEY,
  "planId" uuid NOT NULL REFERENCES pubctl.plans,
  key text,
  file text,
  step text NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  outcome text,
  tries integer NOT NULL DEFAULT 0,
  "publicationId" text,
  "errorCode" text,
  "errorMessage" text,
  "errorHint" text,
  "endedAt" timestamptz
);
CREATE INDEX steps_by_state ON pubctl.steps ("planId", state, outcome);
CREATE INDEX steps_by_end ON pubctl.steps ("endedAt") WHERE "endedAt" IS NOT NULL;
CREATE INDEX steps_with_error ON pubctl.steps ("planId", id) WHERE "errorCode" IS NOT NULL;
CREATE TABLE pubctl.created (
  "planId" uuid NOT NULL REFERENCES pubctl.plans,
  value text NOT NULL,
  "publicationId" text NOT NULL
);
CREATE INDEX created_by_value ON pubctl.created ("planId", value);
CREATE SEQUENCE pubctl.worker_numbers AS integer;
CREATE TABLE pubctl.workers (
  id uuid PRIMARY KEY,
  number integer NOT NULL UNIQUE,
  host text NOT NULL,
  pid integer NOT NULL,
  concurrency integer NOT NULL,
  "startedAt" timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE pubctl.rate (
  "isOnly" boolean PRIMARY KEY DEFAULT true CHECK ("isOnly"),
  "perSecond" double precision,
  "nextAt" timestamptz NOT NULL DEFAULT now()
);
INSERT INTO pubctl.rate DEFAULT VALUES;
${sharedJournalSchema}`,
]
