import type { MayRead } from '../system/may-read.ts'
import { openFile } from '../system/open-file.ts'
import type { World } from '../system/world.ts'
import { ace, aceOptions, aceProblems } from './ace.ts'
import type { Book, Problem } from './book.ts'
import { findPackage } from './epub/container.ts'
import { epubCheck, epubCheckOptions, epubCheckProblems } from './epubcheck.ts'
import { createProblems, limited } from './problems.ts'
import { type Checker, findChecker, runChecker } from './run-checker.ts'
import { openZip } from './zip.ts'

/** What a checker finds wrong with a file; nothing for other types than EPUB. */
export type Check = (file: string, book: Pick<Book, 'type'>) => Promise<Problem[]>

/**
 * A check by those of EPUBCheck and Ace that are asked for. Throws UsageFailure `checker_missing` for one that is not
 * installed, before any book is read.
 */
export async function outsideChecks(
  wanted: { readonly epubcheck?: true | undefined; readonly ace?: true | undefined },
  { env, signal, mayRead }: Pick<World, 'env' | 'signal' | 'mayRead'>,
): Promise<Check> {
  const checks: Check[] = []
  const add = async (
    places: typeof epubCheck | typeof ace,
    options: readonly string[],
    problemsIn: (checker: Checker, report: unknown, file: string) => Promise<Problem[]> | Problem[],
  ) => {
    const checker = await findChecker(places, env)
    checks.push(async file => {
      const checked = await runChecker(checker, options, file, env, signal)
      return 'trouble' in checked
        ? [troubleOf(checker, checked.trouble)]
        : limited(await problemsIn(checker, checked.report, file))
    })
  }
  if (wanted.epubcheck) await add(epubCheck, epubCheckOptions, epubCheckProblems)
  if (wanted.ace) {
    await add(ace, aceOptions, async (checker, report, file) =>
      aceProblems(checker, report, (await packagePathOf(file, mayRead)) ?? ''),
    )
  }
  return async (file, book) => {
    if (book.type !== 'EPUB') return []
    const found: Problem[] = []
    for (const check of checks) found.push(...(await check(file, book)))
    return found
  }
}

/** An error of the book: it was to be checked, and was not. */
const troubleOf = ({ name, command, args }: Checker, trouble: string): Problem => ({
  severity: 'error',
  code: 'checker_failed',
  message: `${name} did not check the book: it ${trouble}.`,
  hint: `Run ${[command, ...args].join(' ')} by itself to see what it says.`,
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
