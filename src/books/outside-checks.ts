import type { CheckedBy } from '../system/checked-by.ts'
import { UsageFailure } from '../system/errors.ts'
import type { MayRead } from '../system/may-read.ts'
import { openFile } from '../system/open-file.ts'
import type { World } from '../system/world.ts'
import { ace, aceOptions, aceProblems, aceVersion } from './ace.ts'
import type { Book, Problem } from './book.ts'
import { findPackage } from './epub/container.ts'
import { findEpubCheck } from './epubcheck/index.ts'
import { joinFindings } from './epubcheck/problems.ts'
import { findingsIn, versionIn } from './epubcheck/report.ts'
import { createProblems, limited } from './problems.ts'
import { findChecker, runChecker } from './run-checker.ts'
import { openZip } from './zip.ts'

/** The problems of a book, and who has checked it besides pubctl. */
interface CheckedBook {
  readonly problems: readonly Problem[]
  readonly checkedBy: readonly CheckedBy[]
}

/** Adds to the problems of a book what another checker finds wrong with it; nothing for other types than EPUB. */
export type Check = (
  file: string,
  book: { readonly type: Book['type']; readonly problems: readonly Problem[] },
) => Promise<CheckedBook>

/** Two checks as one, of which the second adds to what the first has found. */
export const inTurn =
  (first: Check, second: Check): Check =>
  async (file, { type, problems }) => {
    const before = await first(file, { type, problems })
    const after = await second(file, { type, problems: before.problems })
    return { problems: after.problems, checkedBy: [...before.checkedBy, ...after.checkedBy] }
  }

/** A check of EPUBs; of other types it finds nothing. */
const ofEpubs =
  (check: (file: string, problems: readonly Problem[]) => Promise<CheckedBook>): Check =>
  async (file, { type, problems }) =>
    type === 'EPUB' ? await check(file, problems) : { problems, checkedBy: [] }

/**
 * The check by EPUBCheck, whose process stays for all books until it is closed. Throws UsageFailure `checker_missing` if it is not
 * installed.
 */
export async function openEpubCheck(
  world: Pick<World, 'env' | 'signal'>,
): Promise<{ readonly check: Check; close(): void }> {
  const { name, engine, command, run, close } = await findEpubCheck(world)
  const hint =
    command === undefined
      ? 'Check it with the program of EPUBCheck, since nobody knows whether it is sound.'
      : byItself(command)
  const check = ofEpubs(async (file, problems) => {
    const found = await run(file)
    if ('trouble' in found) return failed(problems, troubleOf(name, found.trouble, hint))
    const findings = findingsIn(found.report, file)
    const version = versionIn(found.report)
    const checked: CheckedBook = {
      problems: joinFindings(problems, findings, { name }),
      checkedBy: [{ name, ...(version && { version }), engine }],
    }
    const isExplained = findings.some(({ severity }) => severity === 'error')
    if (found.exitCode === 0 || isExplained) return checked
    // It prints a report as well when it breaks off, and that may be empty.
    const why = found.complaint && `: ${found.complaint}`
    return failed(checked.problems, troubleOf(name, `ended with ${found.exitCode}${why}`, hint))
  })
  return { check, close }
}

/** The check by Ace. Throws UsageFailure `checker_missing` if it is not installed. */
export async function openAce({
  env,
  signal,
  mayRead,
}: Pick<World, 'env' | 'signal' | 'mayRead'>): Promise<Check> {
  const checker = await findChecker(ace, env)
  if (checker === undefined) {
    throw new UsageFailure('Ace is not installed: there is no ace on the PATH', {
      code: 'checker_missing',
      hint: 'Install it (npm install --global @daisy/ace), or leave out --ace.',
    })
  }
  const command = [checker.command, ...checker.args].join(' ')
  return ofEpubs(async (file, problems) => {
    const found = await runChecker(checker, aceOptions, file, env, signal)
    if ('trouble' in found) return failed(problems, troubleOf(ace.name, found.trouble, byItself(command)))
    const packagePath = (await packagePathOf(file, mayRead)) ?? ''
    const version = aceVersion(found.report)
    return {
      problems: [...problems, ...limited(aceProblems(checker, found.report, packagePath))],
      checkedBy: [{ name: ace.name, ...(version && { version }), engine: command }],
    }
  })
}

const byItself = (command: string): string => `Run ${command} by itself to see what it says.`

const failed = (problems: readonly Problem[], trouble: Problem): CheckedBook => ({
  problems: [...problems, trouble],
  checkedBy: [],
})

/** An error of the book: it was to be checked, and was not. */
const troubleOf = (name: string, trouble: string, hint: string): Problem => ({
  severity: 'error',
  code: 'checker_failed',
  message: `${name} did not check the book: it ${trouble}.`,
  hint,
})

/** Where the package document of an EPUB is in its zip; undefined if it cannot be found. */
async function packagePathOf(path: string, mayRead: MayRead): Promise<string | undefined> {
  const file = await openFile(path, mayRead)
  try {
    const zip = await openZip(file)
    return zip && (await findPackage(zip, createProblems()))?.path
  } finally {
    await file.close()
  }
}
