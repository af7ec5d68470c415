import { posix } from 'node:path'
import type { Problem } from './book.ts'
import { firstLineAt, listAt, problemOf, textAt } from './checker-report.ts'
import type { Checker } from './run-checker.ts'

/** How Ace of the DAISY Consortium is found: its packages install it under one of two names. */
export const ace = {
  name: 'Ace',
  programs: ['ace', 'ace-cli'],
  jars: [],
  // It gives its browser five seconds to start, which are too few on a busy machine.
  variables: { ACE_TIMEOUT_INITIAL: '60000' },
}

/** The version that a report says it is of; empty if it says none. */
export const aceVersion = (report: unknown): string =>
  textAt(report, 'earl:assertedBy', 'doap:release', 'doap:revision')

/** Without a folder for its report, it prints it as JSON. */
export const aceOptions: readonly string[] = []

/**
 * The findings of a report of Ace as warnings: accessibility is no matter of whether a book can be read at all. Those that
 * say the same of several elements of a document are one. `packagePath` is the package document of the book.
 */
export function aceProblems(checker: Checker, report: unknown, packagePath: string): Problem[] {
  const kinds = new Map<string, { finding: unknown; place: string; more: number }>()
  for (const document of listAt(report, 'assertions')) {
    const place = entryOf(textAt(document, 'earl:testSubject', 'url'), packagePath)
    for (const finding of listAt(document, 'assertions')) {
      const kind = JSON.stringify([place, textAt(finding, ...titlePath), said(finding)])
      const known = kinds.get(kind)
      if (known) known.more += 1
      else kinds.set(kind, { finding, place, more: 0 })
    }
  }
  return [...kinds.values()].map(({ finding, place, more }) => {
    const element = textAt(finding, 'earl:result', 'earl:pointer', 'css', '0')
    const rule = textAt(finding, 'earl:test', 'help', 'dct:description')
    const page = textAt(finding, 'earl:test', 'help', 'url')
    return problemOf(checker, 'warning', {
      code: textAt(finding, ...titlePath),
      message: (element && `${element}: `) + said(finding),
      more,
      place,
      hint: [rule && `${rule.replace(/\.$/, '')}.`, page && `See ${page}`].filter(Boolean).join(' '),
    })
  })
}

const titlePath = ['earl:test', 'dct:title']

/** What is wrong. Of an element it has a line for each way to mend it, of which the first is the usual one. */
const said = (finding: unknown): string =>
  firstLineAt(finding, 'earl:result', 'dct:description') || textAt(finding, 'earl:test', 'dct:description')

/** The entry of the zip. Ace gives some paths from the root of the book, and most from its package document. */
function entryOf(url: string, packagePath: string): string {
  const path = url.replaceAll('\\', '/')
  if (path === '' || path === packagePath) return path
  return path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(packagePath), path)
}
