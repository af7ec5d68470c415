import type { Problem } from './book.ts'
import { type Checker, listAt, problemOf, textAt } from './run-checker.ts'

/** How Ace of the DAISY Consortium is found. */
export const ace = {
  name: 'Ace',
  program: 'ace',
  jars: [],
  hint: 'Install it (npm install --global @daisy/ace), or leave out --ace.',
}

/** Without a folder for its report, it prints it as JSON. */
export const aceOptions = ['--silent']

/** The findings of a report of Ace as warnings: accessibility is no matter of whether a book can be read at all. */
export const aceProblems = (checker: Checker, report: unknown): Problem[] =>
  listAt(report, 'assertions').flatMap(document =>
    listAt(document, 'assertions').map(finding =>
      problemOf(checker, 'warning', {
        code: textAt(finding, 'earl:test', 'dct:title'),
        message:
          textAt(finding, 'earl:result', 'dct:description') ||
          textAt(finding, 'earl:test', 'dct:description'),
        place: textAt(document, 'earl:testSubject', 'url'),
        hint: textAt(finding, 'earl:test', 'help', 'dct:description'),
      }),
    ),
  )
