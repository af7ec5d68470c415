import type { About } from '../about.ts'
import { reportFile } from '../report-file.ts'
import { accessibilityPage } from './html.ts'
import type { BookRow } from './rows.ts'
import { allColumns } from './view.ts'

const report = reportFile<BookRow>([...allColumns, { field: 'error.message' }], accessibilityPage)

/** Checks that a report of this name can be written. Throws UsageFailure. */
export const checkAccessibilityReport = (path: string): void => report.check(path)

/** Writes the rows in the format of the file's extension. */
export const writeAccessibilityReport = (path: string, rows: readonly BookRow[], about: About): void =>
  report.write(path, rows, about)
