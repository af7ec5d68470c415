import type { Context } from '../../cli/context.ts'
import { readText } from '../../cli/read-text.ts'
import { readAs } from '../../service/client/read.ts'
import type { PutTarget } from '../../service/client/upload-target.ts'
import { UploadSession } from '../../service/contract/uploads.ts'
import { Failure, UsageFailure } from '../../system/errors.ts'
import { isObject } from '../../system/is-object.ts'
import { targetOf } from '../session.ts'

/** Where a session file says that the book goes, and its cover if there is a place for one. */
interface SessionTargets {
  readonly file: PutTarget
  readonly cover: PutTarget | undefined
}

/**
 * Reads a session from a file: the output of `uploads create`, or a whole answer of the service. Throws UsageFailure
 * `bad_session` if it is none.
 */
export async function readSessionFile({ world }: Context, path: string): Promise<SessionTargets> {
  const name = path === '-' ? 'standard input' : path
  const text = await readText(path, world)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw unfit(`${name} does not hold a session as JSON`)
  }
  const result = isObject(value) && 'result' in value ? value['result'] : value
  const session = readAs(UploadSession(), result, trouble => unfit(`${name} holds ${trouble}`))
  try {
    const { cover } = session
    return { file: targetOf(session), cover: cover === null ? undefined : targetOf(cover, 'cover') }
  } catch (error) {
    throw error instanceof Failure ? unfit(`${name}: ${error.message}`) : error
  }
}

const unfit = (message: string) =>
  new UsageFailure(message, {
    code: 'bad_session',
    hint: 'Make one: pubctl uploads create book.epub --json > session.json',
  })
