import type { Problem } from './book.ts'
import { listAt, problemOf, textAt } from './checker-report.ts'
import type { Checker } from './run-checker.ts'

/** How EPUBCheck of the W3C is found: as `epubcheck` on the PATH, or as the jar that Debian installs. */
export const epubCheck = {
  name: 'EPUBCheck',
  programs: ['epubcheck'],
  jars: ['/usr/share/java/epubcheck.jar'],
  hint: 'Install it (on Debian: apt install epubcheck), or leave out --epubcheck.',
}

/** What makes it print its report as JSON. */
export const epubCheckOptions = ['--json', '-']

const severities: Readonly<Record<string, Problem['severity']>> = {
  FATAL: 'error',
  ERROR: 'error',
  WARNING: 'warning',
  INFO: 'information',
}

/** The messages of a report of EPUBCheck as problems; hints on usage, and what is suppressed, are left out. */
export const epubCheckProblems = (checker: Checker, report: unknown): Problem[] =>
  listAt(report, 'messages').flatMap(message => {
    const severity = severities[textAt(message, 'severity')]
    if (severity === undefined) return []
    const [location] = listAt(message, 'locations')
    const more = Math.max(
      0,
      Number(textAt(message, 'additionalLocations') || 0) + listAt(message, 'locations').length - 1,
    )
    return problemOf(checker, severity, {
      code: textAt(message, 'ID'),
      message: textAt(message, 'message'),
      more,
      place: lineOf(textAt(location, 'path'), Number(textAt(location, 'line'))),
      hint: textAt(message, 'suggestion'),
    })
  })

/** A problem of the whole file is at no line of an entry. */
const lineOf = (path: string, line: number): string =>
  path === '' || /\.epub$/i.test(path) ? '' : line > 0 ? `${path}:${line}` : path
