import type { Problem } from '../../books/book.ts'
import { placeText } from '../../books/problems.ts'
import { junit } from '../../pages/junit.ts'
import { checkedByText } from '../../system/checked-by.ts'
import type { CheckedRow } from './rows.ts'

/** JUnit XML: a book fails by its errors, or by its warnings too if that is strict. */
export function checkedJunit(rows: readonly CheckedRow[], isStrict: boolean): string {
  const isGrave = ({ severity }: Problem) => severity === 'error' || (isStrict && severity === 'warning')
  return junit(
    'inspect',
    rows.map(({ file, problems, error, checkedBy = [] }) => {
      const grave = problems.filter(isGrave)
      const [first] = grave
      const remarks = problems.filter(problem => !isGrave(problem)).map(lineOf)
      const why = error ?? first
      return {
        name: file,
        failure: why && { type: why.code, message: why.message, lines: grave.map(lineOf) },
        remarks: [...remarks, ...checkedBy.map(by => `checked by ${checkedByText(by)}`)],
      }
    }),
  )
}

function lineOf(problem: Problem): string {
  const { severity, message, hint, known } = problem
  const place = placeText(problem)
  return `${known ? `known ${known}` : severity}: ${place === undefined ? '' : `${place}: `}${message}${hint === undefined ? '' : ` ${hint}`}`
}
