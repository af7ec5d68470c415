/** A fault that is planted: a text of a file is replaced by another. */
interface Plant {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly by: string
}

/** Each is found by the simulation, or the simulation finds nothing. */
export const plants: readonly Plant[] = [
  {
    name: 'content is trusted before its file has arrived',
    file: 'src/uploads/processing.ts',
    text: `state === 'uploaded' || isFinalStatus(state)`,
    by: 'state !== null',
  },
  {
    name: 'a request whose answer was cut is not repeated',
    file: 'src/service/client/call.ts',
    text: 'if (!(isRepeatable || wasNotSent(error)) || isPermanent(error)) throw failure',
    by: 'if (!wasNotSent(error) || isPermanent(error)) throw failure',
  },
  {
    name: 'a file counts as sent once there is something to send it to',
    file: 'src/uploads/continue-upload.ts',
    text: `stage: 'created',\n`,
    by: `stage: 'sent',\n`,
  },
  {
    name: 'each run makes an upload request of its own',
    file: 'src/uploads/create.ts',
    text: 'await context.call(publications.create, creation, options)',
    by: 'await context.call(publications.create, { ...creation, uploadRequestId: crypto.randomUUID() }, options)',
  },
]
