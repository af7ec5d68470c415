import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { bin } from '../machine/bin-path.ts'

export interface SandboxServer {
  child: ChildProcess
  baseUrl: string
  /** The key that may do everything. */
  key: string
  keys: { name: string; key: string; scopes: string[]; status: string }[]
}

/**
 * Starts `pubctl sandbox start` as a process, which ends with the test, and gives what it says of itself. A line of the shell
 * such as `ulimit` may come first.
 */
export async function startServer(
  dataDir: string,
  more: readonly string[] = [],
  line?: string,
): Promise<SandboxServer> {
  const args = [bin, 'sandbox', 'start', '--data-dir', dataDir, '--json', ...more]
  const inShell = ['-c', `${line}; exec "$0" "$@"`, process.execPath, ...args]
  const [program, run] = line === undefined ? [process.execPath, args] : ['sh', inShell]
  const child = spawn(program, run, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  const { baseUrl, keys } = JSON.parse(chunk.toString()) as Pick<SandboxServer, 'baseUrl' | 'keys'>
  return { child, baseUrl, keys, key: keys.find(({ name }) => name === 'full')?.key ?? '' }
}
