import type { World } from '../world.ts'

/** The text of a file, or of standard input for `-`. Throws UsageFailure `file_unreadable`. */
export async function readText(path: string, world: Pick<World, 'stdin'>): Promise<string> {
  if (path === '-') return await (await import('../system/read-stream.ts')).readStream(world.stdin)
  const { readFile } = await import('../system/files.ts')
  return await readFile(path, 'utf8').catch(async error => {
    throw (await import('../system/unreadable.ts')).unreadable(path, error)
  })
}
