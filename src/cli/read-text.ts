import type { World } from '../system/world.ts'

/** The largest body of a request or session that is read, in bytes. */
const most = 64 * 2 ** 20

/** The text of a file, or of standard input for `-`. Throws UsageFailure `file_unreadable`. */
export async function readText(path: string, world: Pick<World, 'stdin' | 'mayRead'>): Promise<string> {
  if (path === '-') return await (await import('../system/read-stream.ts')).readStream(world.stdin)
  return await (await import('../system/open-file.ts')).readTextFile(path, world.mayRead, most)
}
