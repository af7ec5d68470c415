import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { rolldown } from 'rolldown'

/**
 * Bundles a piece of TypeScript, whose imports of `../../src/…` are the project's own, into a file that plain Node runs
 * as a process of its own.
 */
export async function bundleScript(code: string, outfile: string): Promise<void> {
  const input = join(import.meta.dirname, '../script.ts')
  const bundle = await rolldown({
    input,
    platform: 'node',
    transform: { target: 'node20.19' },
    plugins: [
      {
        name: 'script',
        load: id => (id === input ? code : null),
        resolveId: id => (id === input ? id : null),
      },
    ],
  })
  await bundle.write({ file: outfile, format: 'esm', codeSplitting: false })
  await bundle.close()
}

/** Starts a bundled script. `done` gives what it prints, and rejects when it fails or says anything on stderr. */
export function startScript(
  file: string,
  args: string[] = [],
  input?: string,
): { child: ChildProcess; done: Promise<string> } {
  const child = spawn(process.execPath, [file, ...args], { stdio: 'pipe' })
  child.stdin.end(input ?? '')
  const [out, err] = [text(child.stdout), text(child.stderr)]
  const done = new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', async code => {
      if (code === 0 && (await err) === '') resolve(await out)
      else reject(new Error(`the script ended with ${code ?? child.signalCode}: ${await err}`))
    })
  })
  return { child, done }
}

/** Removes a test's folder, whatever its processes have left in it. */
export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })
