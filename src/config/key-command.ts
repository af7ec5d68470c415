import { execa } from 'execa'
import { exitCodes, Failure } from '../errors.ts'
import type { World } from '../world.ts'
import { checkKey, withoutFinalNewline } from './key-text.ts'

/** Long enough for a person to unlock a vault, in milliseconds. */
const patience = 60_000

/**
 * The key that a profile's command prints. The line is the person's own, so a shell runs it. What it prints on stderr
 * is dropped and never quoted, since that may hold secrets too.
 */
export async function runKeyCommand(
  command: string,
  { env, signal, stdin }: Pick<World, 'env' | 'signal' | 'stdin'>,
  timeout: number = patience,
): Promise<string> {
  signal.throwIfAborted()
  // Only a terminal is handed on: of a pipe, the command would eat what pubctl itself is to read. Without a terminal
  // the command gets a process group of its own, so that what the shell has started can be stopped with it.
  const isAtTerminal = stdin.isTTY === true
  const isGroup = !isAtTerminal && process.platform !== 'win32'
  const late = AbortSignal.timeout(timeout)
  const stop = AbortSignal.any([signal, late])
  const child = execa(command, {
    shell: true,
    stdin: isAtTerminal ? 'inherit' : 'ignore',
    stderr: 'ignore',
    stripFinalNewline: false,
    maxBuffer: 16 * 1024,
    env: { ...env },
    extendEnv: false,
    detached: isGroup,
    cleanup: true,
    reject: false,
  })
  const end = () => {
    if (isGroup && child.pid !== undefined) endGroup(child.pid)
    child.kill()
    // Whatever still holds the other end of the pipe is not waited for.
    child.stdout.destroy()
  }
  stop.addEventListener('abort', end, { once: true })
  const { exitCode, signal: killedBy, isMaxBuffer, failed, stdout } = await child
  stop.removeEventListener('abort', end)

  signal.throwIfAborted()
  if (late.aborted) throw failure(`printed no key within ${timeout / 1000} seconds`)
  if (isMaxBuffer) throw failure('printed far more than a key')
  if (exitCode !== undefined && exitCode !== 0) throw failure(`failed with exit code ${exitCode}`)
  if (failed) throw failure(killedBy ? `was ended by ${killedBy}` : 'could not be started')
  try {
    return checkKey(withoutFinalNewline(stdout), 'the keyCommand')
  } catch {
    throw failure('did not print one line with a key and nothing else')
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended by itself meanwhile.
  }
}

const failure = (trouble: string): Failure =>
  new Failure(`the profile's key command ${trouble}`, {
    code: 'key_command_failed',
    exitCode: exitCodes.notAuthenticated,
    hint: 'Run the command by itself to see what it says.',
  })
