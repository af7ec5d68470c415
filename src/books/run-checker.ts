import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { execa } from 'execa'
import { exitCodes, Failure, UsageFailure } from '../errors.ts'
import type { Problem } from './book.ts'

/** A program for checking books that others make, as it is run on this machine. */
export interface Checker {
  /** Its name, as people know it. */
  name: string
  command: string
  args: readonly string[]
}

/** The variables that a checker gets: those that it needs to start, and no keys. */
const passedOn = [
  'PATH',
  'HOME',
  'JAVA_HOME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'DISPLAY',
]

type Env = Readonly<Record<string, string | undefined>>

/**
 * Finds a program on the PATH, or else one of the jars; jars are run by java. Throws UsageFailure `checker_missing` with a
 * hint if there is none.
 */
export async function findChecker(
  { name, program, jars, hint }: { name: string; program: string; jars: readonly string[]; hint: string },
  env: Env,
): Promise<Checker> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  const onPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const places = onPath.flatMap(folder => endings.map(ending => join(folder, program + ending)))
  for (const path of [...places, ...jars]) {
    const isExecutable = await access(path, jars.includes(path) ? constants.R_OK : constants.X_OK).then(
      () => true,
      () => false,
    )
    // Debian installs the jar itself under the name of the program.
    if (isExecutable)
      return (await isJar(path))
        ? { name, command: 'java', args: ['-jar', path] }
        : { name, command: path, args: [] }
  }
  throw new UsageFailure(`${name} is not installed: there is no ${program} on the PATH`, {
    code: 'checker_missing',
    hint,
  })
}

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

/** The JSON that a checker prints about a file. Throws Failure `checker_failed` if it prints none. */
export async function runChecker(
  { name, command, args }: Checker,
  options: readonly string[],
  file: string,
  env: Env,
  signal: AbortSignal,
): Promise<unknown> {
  signal.throwIfAborted()
  const { stdout, failed, code, timedOut } = await execa(command, [...args, ...options, resolve(file)], {
    env: Object.fromEntries(
      passedOn.flatMap(variable => (env[variable] === undefined ? [] : [[variable, env[variable]]])),
    ),
    extendEnv: false,
    stdin: 'ignore',
    stderr: 'ignore',
    reject: false,
    timeout: timeLimit,
    maxBuffer: 256 * 1024 * 1024,
    cancelSignal: signal,
  })
  signal.throwIfAborted()
  const trouble = timedOut
    ? `took longer than ${timeLimit / 60_000} minutes`
    : failed && code === 'ENOENT'
      ? `could not be started: there is no ${command}`
      : 'printed no report'
  try {
    return JSON.parse(stdout.slice(Math.max(0, stdout.indexOf('{'))))
  } catch {
    throw new Failure(`${name} ${trouble} about ${file}`, {
      code: 'checker_failed',
      exitCode: exitCodes.usage,
      hint: `Run ${[command, ...args].join(' ')} by itself to see what it says.`,
    })
  }
}

/** The list in a report at a path of names; empty where there is none. */
export function listAt(report: unknown, ...names: readonly string[]): Record<string, unknown>[] {
  const found = valueAt(report, ...names)
  return Array.isArray(found) ? found.filter(one => typeof one === 'object' && one !== null) : []
}

/** The text or number in a report at a path of names, as text. */
export function textAt(report: unknown, ...names: readonly string[]): string {
  const found = valueAt(report, ...names)
  return typeof found === 'string' || typeof found === 'number'
    ? String(found).replace(/\s+/g, ' ').trim()
    : ''
}

const valueAt = (report: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
    report,
  )

/** A problem of a checker; its message says whose it is. */
export const problemOf = (
  { name }: Checker,
  severity: Problem['severity'],
  facts: { code: string; message: string; place: string; hint: string },
): Problem => ({
  severity,
  code: facts.code || name,
  message: `${facts.message.replace(/\.$/, '')} (${name}).`,
  ...(facts.place && { place: facts.place }),
  ...(facts.hint && { hint: facts.hint }),
})
