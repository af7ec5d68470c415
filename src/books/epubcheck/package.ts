import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { openApart } from '../apart/ask.ts'
import { type ApartError, isLimitError } from '../apart/limits.ts'
import type { CheckerRun } from '../run-checker.ts'

/** What the package says of a book: its report as the official program prints it, and how it ended. */
export interface PackageReport {
  readonly json: string
  readonly exitCode: number
  readonly stderr: string
}

/** EPUBCheck as a package of npm, which is no part of pubctl. */
export interface EpubCheckPackage {
  /** Its name and version. */
  readonly name: string
  run(file: string, signal: AbortSignal): Promise<CheckerRun>
  /** Ends its process. */
  close(): void
}

const packageName = 'epubcheck-standalone'

/** The package beside pubctl; undefined if it is not installed. Nothing of it is loaded in this process. */
export function findEpubCheckPackage(): EpubCheckPackage | undefined {
  const main = mainOf(packageName)
  if (main === undefined) return undefined
  const { ask, close } = openApart<{ file: string }, PackageReport>({
    program: 'epubcheck-process',
    what: 'the process that runs EPUBCheck',
    args: [main],
  })
  return {
    name: `${packageName} ${versionOf(main)}`.trim(),
    run: async (file, signal) => runOf(await ask({ file: resolve(file) }, signal)),
    close,
  }
}

function mainOf(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

/** The version of a package, by the path of its main module, which is in a folder of it. */
function versionOf(main: string): string {
  try {
    return String(JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8')).version)
  } catch {
    return ''
  }
}

const limitTroubles: Readonly<Record<string, string>> = {
  memory: 'took too much memory',
  time: 'took too long',
  crash: 'crashed',
}

function runOf(found: PackageReport | ApartError): CheckerRun {
  if ('error' in found)
    return {
      trouble:
        (isLimitError(found) && limitTroubles[found.error]) || `broke off: ${firstLine(found.message)}`,
    }
  const { json, exitCode, stderr } = found
  try {
    return { report: JSON.parse(json), exitCode, complaint: firstLine(stderr) }
  } catch {
    return { trouble: 'printed no report' }
  }
}

const firstLine = (text: string): string =>
  (text.trim().split('\n')[0] ?? '').slice(0, 300).replace(/\.$/, '')
