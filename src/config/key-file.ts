import { UsageFailure, withHint } from '../system/errors.ts'
import { anyFile } from '../system/may-read.ts'
import { readTextFile } from '../system/open-file.ts'
import { readStream } from '../system/read-stream.ts'
import type { World } from '../system/world.ts'

/** Far more than a key, in bytes. */
const most = 64 * 1024

const hint = 'Name a file that holds the key alone, or - for standard input.'

/** The text of a file that holds an API key, or of standard input for `-`. Throws UsageFailure `file_unreadable`. */
export async function readKeyFile(path: string, world: Pick<World, 'stdin'>): Promise<string> {
  if (path === '-') return await readStream(world.stdin)
  // No agent names it.
  return await readTextFile(path, anyFile, most).catch((error: unknown) => {
    throw error instanceof UsageFailure ? withHint(error, hint) : error
  })
}
