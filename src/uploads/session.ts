import * as z from 'zod'
import type { PutTarget } from '../client/put.ts'
import { NetworkFailure } from '../errors.ts'

const target = z.looseObject({
  uploadUrl: z.string(),
  requiredHeaders: z.record(z.string(), z.string()).nullish(),
})
const session = target.extend({ expiresIn: z.number().nullish().catch(undefined), cover: target.nullish() })

/** An upload session as far as sending needs it. */
export interface Session extends PutTarget {
  /** Seconds that it can be used. */
  readonly expiresIn: number | undefined
  readonly cover: PutTarget | undefined
}

/** Reads the `result` of a creation or an upload intent (§2.9); throws when there is nowhere to send the file. */
export function readSession(result: unknown): Session {
  const { cover, ...file } = read(session, result)
  return {
    ...asTarget(file),
    expiresIn: file.expiresIn ?? undefined,
    cover: cover ? asTarget(cover) : undefined,
  }
}

/** Reads one place to send a file to, such as an asset's upload descriptor (§2.5). */
export const readTarget = (descriptor: unknown): PutTarget => asTarget(read(target, descriptor))

const asTarget = ({ uploadUrl, requiredHeaders }: z.output<typeof target>): PutTarget => ({
  uploadUrl,
  requiredHeaders: requiredHeaders ?? {},
})

function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const path = error.issues[0]?.path.join('.') || 'result'
  throw new NetworkFailure(`the service's upload session is not usable: see its ${path}`, {
    code: 'bad_session',
    hint: 'Nothing was sent. Report it to the service; -v shows the request id.',
  })
}
