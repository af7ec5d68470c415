/** A fault that is planted: a text of a file is replaced by another. */
interface Plant {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly by: string
  /** The scenario in which it shows. */
  readonly scenario: string
  /** The seed that finds it there, at a usual service; undefined for one that shows where one thing goes wrong. */
  readonly seed?: number
}

/** Each is of a kind that pubctl once had, or might have. Each is found by the simulation, or the simulation finds nothing. */
export const plants: readonly Plant[] = [
  {
    name: 'content is trusted before its file has arrived',
    file: 'src/uploads/processing.ts',
    text: `state === 'uploaded' || isFinalStatus(state)`,
    by: 'state !== null',
    scenario: 'upload',
    seed: 19,
  },
  {
    name: 'a request whose answer was cut is not repeated',
    file: 'src/service/client/call.ts',
    text: 'if (!(isRepeatable || wasNotSent(error)) || isPermanent(error)) throw failure',
    by: 'throw failure',
    scenario: 'upload',
  },
  {
    name: 'a file counts as sent once there is something to send it to',
    file: 'src/uploads/continue-upload.ts',
    text: `stage: 'created',\n`,
    by: `stage: 'sent',\n`,
    scenario: 'upload',
    seed: 19,
  },
  {
    name: 'each run makes an upload request of its own',
    file: 'src/uploads/create.ts',
    text: 'await context.call(publications.create, creation, options)',
    by: 'await context.call(publications.create, { ...creation, uploadRequestId: crypto.randomUUID() }, options)',
    scenario: 'upload',
    seed: 7,
  },
  {
    name: 'what is begun is not yet on the disk when the service is told',
    file: 'src/uploads/journal/durably.ts',
    text: 'PRAGMA synchronous = FULL',
    by: 'PRAGMA synchronous = NORMAL',
    scenario: 'upload',
    seed: 12,
  },
  {
    name: 'a file that is being processed is called available',
    file: 'src/uploads/outcome.ts',
    text: '(terminalUploadStatuses as readonly unknown[]).includes(uploadStatus)',
    by: `[...terminalUploadStatuses, 'uploaded'].includes(uploadStatus as never)`,
    scenario: 'upload',
    seed: 1,
  },
  {
    name: 'what another process has uploaded meanwhile is uploaded again',
    file: 'src/uploads/run-upload.ts',
    text: 'isConsidered ||= considered.has(uploadRequestId)',
    by: 'isConsidered = true',
    scenario: 'upload',
    seed: 11,
  },
  {
    name: 'the index is trusted after the clock was set back',
    file: 'src/catalogue/index/index-store.ts',
    text: '\n  distrustLater(db, now)',
    by: '',
    scenario: 'apply',
    seed: 5,
  },
  {
    name: 'one refusal is the end of a request',
    file: 'src/service/client/call.ts',
    text: 'if (!mayRepeat) return await read(response)',
    by: 'return await read(response)',
    scenario: 'upload',
  },
  {
    name: 'a cover is not sent when an upload goes on',
    file: 'src/uploads/send.ts',
    text: 'if (creation.coverFilename !== undefined) {\n',
    by: 'if (creation.coverFilename !== undefined && kept.cover) {\n',
    scenario: 'upload',
    seed: 34,
  },
  {
    name: 'a machine that carries out a plan does not take its ids',
    file: 'src/catalogue/apply/examine.ts',
    text: 'claimPlanned(upload, file.kept)',
    by: 'claimPlanned({ ...upload, uploadRequestId: crypto.randomUUID() }, file.kept)',
    scenario: 'apply',
    seed: 7,
  },
  {
    name: 'a trigger that comes after its book was seen is not seen again',
    file: 'src/watch/poll-loop.ts',
    text: 'if (now !== undefined) item.watched = { ...item.watched, seen: now.seen }',
    by: 'if (now !== undefined) void now',
    scenario: 'watch with triggers',
  },
  {
    name: 'a lock is renewed by its path, so that it is taken back from whoever has taken it over',
    file: 'src/system/lock-file.ts',
    text: 'writeSync(file, text, 0)',
    by: 'writeFileSync(path, text)',
    scenario: 'watch',
  },
  {
    name: 'a statement whose connection was lost is not sent again',
    file: 'src/queue/postgres/postgres.ts',
    text: 'const isPassing = isConnectionError(error) || isConflict(error)',
    by: 'const isPassing = isConflict(error)',
    scenario: 'worker',
  },
]
