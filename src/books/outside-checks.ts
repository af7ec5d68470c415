import { ace, aceOptions, aceProblems } from './ace.ts'
import type { Book, Problem } from './book.ts'
import { epubCheck, epubCheckOptions, epubCheckProblems } from './epubcheck.ts'
import { findChecker, runChecker } from './run-checker.ts'

/** What a checker finds wrong with a file; nothing for other types than EPUB. */
export type Check = (file: string, book: Pick<Book, 'type'>) => Promise<Problem[]>

/**
 * A check by those of EPUBCheck and Ace that are asked for. Throws UsageFailure `checker_missing` for one that is not
 * installed, before any book is read.
 */
export async function outsideChecks(
  wanted: { readonly epubcheck?: true | undefined; readonly ace?: true | undefined },
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<Check> {
  const checks: ((file: string) => Promise<Problem[]>)[] = []
  if (wanted.epubcheck) {
    const checker = await findChecker(epubCheck, env)
    checks.push(async file =>
      epubCheckProblems(checker, await runChecker(checker, epubCheckOptions, file, env, signal)),
    )
  }
  if (wanted.ace) {
    const checker = await findChecker(ace, env)
    checks.push(async file => aceProblems(checker, await runChecker(checker, aceOptions, file, env, signal)))
  }
  return async (file, { type }) => {
    if (type !== 'EPUB') return []
    const found: Problem[] = []
    for (const check of checks) found.push(...(await check(file)))
    return found
  }
}
