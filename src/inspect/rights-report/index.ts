import type { About } from '../about.ts'
import { reportFile } from '../report-file.ts'
import { rightsPage } from './html.ts'
import type { RightsRow } from './rows.ts'
import { rightsColumns } from './view.ts'

const report = reportFile<RightsRow>([...rightsColumns, { field: 'error.message' }], rightsPage)

/** Checks that a report of this name can be written. Throws UsageFailure. */
export const checkRightsReport = (path: string): void => report.check(path)

/** Writes the rows in the format of the file's extension. */
export const writeRightsReport = (path: string, rows: readonly RightsRow[], about: About): void =>
  report.write(path, rows, about)
