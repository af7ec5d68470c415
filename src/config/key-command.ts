import { execa, execaSync } from 'execa'
import { exitCodes, Failure } from '../system/errors.ts'
import { throwIfInterrupted } from '../system/interrupted-child.ts'
import { withoutCurrentFolder } from '../system/program-path.ts'
import type { World } from '../system/world.ts'
import { checkKey, withoutFinalNewline } from './key-text.ts'

/** Long enough to unlock a password manager, in milliseconds. */
const defaultTimeout = 60_000

/**
 * The key that a profile's command prints. A shell runs the command, as the user wrote it, but finds no program in the
 * current folder unless the command says that it is there. Its standard error is dropped,
 * because it may contain secrets. Throws Failure `key_command_failed`. `timeout` is in milliseconds.
 */
export async function runKeyCommand(
  command: string,
  { env, signal, stdin }: Pick<World, 'env' | 'signal' | 'stdin'>,
  timeout: number = defaultTimeout,
): Promise<string> {
  signal.throwIfAborted()
  // The command only gets standard input if it is a terminal: it would read a pipe that is meant for pubctl. Without a
  // terminal it gets its own process group, so that the shell's child processes can be stopped, too.
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
    env: withoutCurrentFolder(env),
    extendEnv: false,
    detached: isGroup,
    cleanup: true,
    reject: false,
  })
  const end = () => {
    if (isGroup && child.pid !== undefined) endGroup(child.pid)
    if (process.platform === 'win32' && child.pid !== undefined) endTree(child.pid)
    child.kill()
    // A process that still has the pipe open must not keep pubctl waiting.
    child.stdout.destroy()
  }
  stop.addEventListener('abort', end, { once: true })
  const ended = await child
  stop.removeEventListener('abort', end)

  signal.throwIfAborted()
  throwIfInterrupted(ended)
  const { exitCode, signal: killedBy, isMaxBuffer, failed, stdout } = ended
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

/** Windows has no groups, and ends a process without those that it has started. */
function endTree(pid: number): void {
  execaSync('taskkill', ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore', reject: false })
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has already ended.
  }
}

const failure = (trouble: string): Failure =>
  new Failure(`the profile's key command ${trouble}`, {
    code: 'key_command_failed',
    exitCode: exitCodes.notAuthenticated,
    hint: 'Run the command by itself to see what it says.',
  })
