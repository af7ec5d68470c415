import { Interrupted } from './errors.ts'

/**
 * Throws Interrupted where a child process was ended by what a terminal sends to all that runs in its foreground. The child may be
 * seen to end before this process gets the same signal, and how it ended is then no fault of its own. Takes a result of execa.
 */
export function throwIfInterrupted(ended: {
  readonly signal?: string | undefined
  readonly exitCode?: number | undefined
}): void {
  if (ended.signal === 'SIGINT' || ended.signal === 'SIGHUP') throw new Interrupted(ended.signal)
  if (process.platform === 'win32' && ended.exitCode === controlCExit) throw new Interrupted('SIGINT')
}

/** STATUS_CONTROL_C_EXIT: Windows has no signals, and ends a process with this code for Ctrl-C. */
const controlCExit = 0xc000013a
