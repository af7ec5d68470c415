import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { throwIfInterrupted } from '../system/interrupted-child.ts'
import { findProgram, placesOnPath, withoutCurrentFolder } from '../system/program-path.ts'

/** A program for checking books that others make, as it is run on this machine. */
export interface Checker {
  /** Its name, as people know it. */
  name: string
  command: string
  args: readonly string[]
  /** What its environment gets, unless the user's has it. */
  variables: Readonly<Record<string, string>>
}

/**
 * The variables that a checker gets: those that it needs to start, and no keys. Ace finds its browser by those of Puppeteer.
 */
const passedOn =
  /^(?:PATH|HOME|LANG|TMPDIR|TEMP|TMP|DISPLAY|WAYLAND_DISPLAY|(?:LC|XDG|JAVA|JDK|ACE|PUPPETEER)_\w+)$/
/** What programs need on Windows besides. Names of variables have no case there: its own name for PATH is `Path`. */
const passedOnWindows =
  /^(?:SYSTEM(?:ROOT|DRIVE)|USERPROFILE|(?:LOCAL)?APPDATA|PROGRAM(?:DATA|FILES(?:\(X86\))?)|PATHEXT|COMSPEC)$/

/** Where a checker may be: as one of some programs on the PATH, or as one of some jars. */
interface CheckerPlaces {
  readonly name: string
  readonly programs: readonly string[]
  readonly jars: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

type Env = Readonly<Record<string, string | undefined>>

/** Finds a program on the PATH, or else one of the jars; jars are run by java. Undefined if there is none. */
export async function findChecker(
  { name, programs, jars, variables = {} }: CheckerPlaces,
  env: Env,
): Promise<Checker | undefined> {
  const places = programs.flatMap(program => placesOnPath(program, env))
  for (const path of [...places, ...jars]) {
    const isExecutable = await access(path, jars.includes(path) ? constants.R_OK : constants.X_OK).then(
      () => true,
      () => false,
    )
    // Debian installs the jar itself under the name of the program.
    if (isExecutable)
      return (await isJar(path))
        ? { name, command: 'java', args: [mostMemory, '-jar', path], variables }
        : { name, command: path, args: [], variables }
  }
  return undefined
}

/** Java would take a quarter of the machine's memory, which may be more than a book should cost. */
const mostMemory = '-Xmx2g'

async function isJar(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.toString('latin1') === 'PK'
  } finally {
    await file.close()
  }
}

/** Long enough for the largest books, in milliseconds. */
const timeLimit = 10 * 60_000

/**
 * The JSON that a checker prints about a file, with how it ended and what it complained of, or why there is none, as the end of
 * a sentence about the checker.
 */
export type CheckerRun =
  | { readonly report: unknown; readonly exitCode: number; readonly complaint: string }
  | { readonly trouble: string }

/** Runs a checker about a file. */
export async function runChecker(
  { command, args, variables }: Checker,
  options: readonly string[],
  file: string,
  env: Env,
  signal: AbortSignal,
): Promise<CheckerRun> {
  signal.throwIfAborted()
  const program = isAbsolute(command) ? command : findProgram(command, env)
  if (program === undefined) return { trouble: `could not be started: there is no ${command}` }
  const passed = Object.entries(env).filter(([name]) => isPassedOn(name))
  const result = await execa(program, [...args, ...options, resolve(file)], {
    env: { ...variables, ...withoutCurrentFolder(Object.fromEntries(passed)) },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: timeLimit,
    maxBuffer: 256 * 1024 * 1024,
    cancelSignal: signal,
  })
  signal.throwIfAborted()
  throwIfInterrupted(result)
  const { stdout = '', stderr = '', failed, code, timedOut, exitCode, signal: endedBy } = result
  if (timedOut) return { trouble: `took longer than ${timeLimit / 60_000} minutes` }
  if (failed && code === 'ENOENT') return { trouble: `could not be started: there is no ${command}` }
  if (failed && code !== undefined && exitCode === undefined && endedBy === undefined)
    return { trouble: `could not be started (${code})` }
  const reason = reasonIn(stderr)
  try {
    return { report: JSON.parse(reportIn(stdout)), exitCode: exitCode ?? 1, complaint: reason }
  } catch {
    return { trouble: `printed no report${reason && `: ${reason}`}` }
  }
}

export function isPassedOn(name: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'win32') return passedOn.test(name)
  return passedOn.test(name.toUpperCase()) || passedOnWindows.test(name.toUpperCase())
}

/** The JSON among the lines that a checker prints. */
const reportIn = (stdout: string): string =>
  stdout.slice(Math.max(0, stdout.search(/^\{/m)), stdout.lastIndexOf('}') + 1)

/** The first error among what a checker prints to standard error, without the name of its level. */
function reasonIn(stderr: string): string {
  const lines = stripVTControlCharacters(stderr.slice(0, 10_000)).split('\n')
  const line = lines.find(text => /\berror\b|exception/i.test(text)) ?? ''
  return line
    .replace(/^\s*error:\s*/i, '')
    .trim()
    .slice(0, 300)
    .replace(/\.$/, '')
}
