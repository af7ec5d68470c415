import type { Rules } from '../../books/rules/index.ts'
import { csvLines } from '../../cli/output/csv.ts'
import type { Column } from '../../cli/output/view.ts'
import { type CheckedBy, checkedByText } from '../../system/checked-by.ts'
import type { About } from '../about.ts'
import { reportFile } from '../report-file.ts'
import { checkedPage } from './html.ts'
import { checkedJunit } from './junit.ts'
import { type CheckedRow, eachProblem } from './rows.ts'
import { checkedSarif } from './sarif.ts'

const columns: readonly Column[] = [
  ...['file', 'type', 'title', 'authors', 'language', 'isbn'],
  ...['problems.severity', 'problems.code', 'problems.place', 'problems.message', 'problems.hint'],
  ...['problems.known', 'problems.column'],
  'error.message',
]
  .map((field): Column => ({ field }))
  .concat({ field: 'checkedBy', textOf: by => checkedByText(by as CheckedBy) })

/** What a report depends on, besides the books. */
interface ReportOptions {
  readonly isStrict: boolean
  /** The rules that the books were checked by. */
  readonly rules?: Pick<Rules, 'sources'> | undefined
}

/** A report of problems; JUnit counts warnings as failures where that is strict. */
const reportOf = ({ isStrict, rules }: ReportOptions) =>
  reportFile<CheckedRow>(columns, checkedPage, {
    '.csv': rows => csvLines(columns, rows.flatMap(eachProblem)),
    '.xml': rows => [checkedJunit(rows, isStrict)],
    '.sarif': (rows, about) => [checkedSarif(rows, about, rules?.sources)],
  })

/** Checks that a report of this name can be written. Throws UsageFailure. */
export const checkProblemReport = (path: string): void => reportOf({ isStrict: false }).check(path)

/** Writes the rows in the format of the file's extension. */
export const writeProblemReport = (
  path: string,
  rows: readonly CheckedRow[],
  about: About,
  options: ReportOptions,
): void => reportOf(options).write(path, rows, about)
