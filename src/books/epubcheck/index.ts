import { UsageFailure } from '../../system/errors.ts'
import type { World } from '../../system/world.ts'
import { type CheckerRun, findChecker, runChecker } from '../run-checker.ts'
import { findEpubCheckPackage } from './package.ts'

/** EPUBCheck of the W3C, as a program or as a package. */
export interface EpubCheck {
  readonly name: string
  /** The program or the package that it is. */
  readonly engine: string
  /** How to run it by hand, if that tells more. */
  readonly command?: string
  run(file: string): Promise<CheckerRun>
  /** Ends its process, if it stays for all books. */
  close(): void
}

/** How the program is found: as `epubcheck` on the PATH, or as the jar that Debian installs. */
export const epubCheckProgram = {
  name: 'EPUBCheck',
  programs: ['epubcheck'],
  jars: ['/usr/share/java/epubcheck.jar'],
}

/** What makes it print its report as JSON. */
const options = ['--json', '-']

/** How many books the program checks at a time: each takes a Java of its own, with up to 2 GiB of heap. */
const mostAtATime = 2

/**
 * EPUBCheck as it is installed: the program, or else the package beside pubctl, which runs in one process for all books. Throws
 * UsageFailure `checker_missing` if there is neither.
 */
export async function findEpubCheck({ env, signal }: Pick<World, 'env' | 'signal'>): Promise<EpubCheck> {
  const checker = await findChecker(epubCheckProgram, env)
  if (checker !== undefined) {
    const command = [checker.command, ...checker.args].join(' ')
    const { default: pLimit } = await import('p-limit')
    const limit = pLimit(mostAtATime)
    return {
      name: epubCheckProgram.name,
      engine: checker.args.at(-1) ?? checker.command,
      command,
      run: file => limit(() => runChecker(checker, options, file, env, signal)),
      close: () => undefined,
    }
  }
  const found = findEpubCheckPackage()
  if (found !== undefined)
    return {
      name: epubCheckProgram.name,
      engine: found.name,
      run: file => found.run(file, signal),
      close: found.close,
    }
  throw new UsageFailure(
    'EPUBCheck is not installed: there is no epubcheck on the PATH, and no package epubcheck-standalone beside pubctl',
    {
      code: 'checker_missing',
      hint: 'Install the package: npm install --global epubcheck-standalone@latest. Or leave out --epubcheck; --no-epubcheck does without that of the profile.',
    },
  )
}
