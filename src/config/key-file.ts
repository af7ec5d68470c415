import { UsageFailure } from '../errors.ts'
import { readFile } from '../system/files.ts'
import { readStream } from '../system/read-stream.ts'
import type { World } from '../world.ts'

/** The text of a file that holds an API key, or of standard input for `-`. Throws UsageFailure `file_unreadable`. */
export async function readKeyFile(path: string, world: Pick<World, 'stdin'>): Promise<string> {
  if (path === '-') return await readStream(world.stdin)
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageFailure(`cannot read the key from ${path}: ${error.code ?? error.message}`, {
      code: 'file_unreadable',
      hint: 'Name a file that holds the key alone, or - for standard input.',
    })
  })
}
