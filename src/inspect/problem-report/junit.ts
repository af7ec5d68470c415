import type { Problem } from '../../books/book.ts'
import { escapeMarkup } from '../../pages/escape-markup.ts'
import type { CheckedRow } from './rows.ts'

/** JUnit XML, which CI systems show as test results: a book fails by its errors, or by its warnings too if that is strict. */
export function checkedJunit(rows: readonly CheckedRow[], isStrict: boolean): string {
  const isGrave = ({ severity }: Problem) => severity === 'error' || (isStrict && severity === 'warning')
  let failures = 0
  const cases = rows.map(({ file, problems, error }) => {
    const grave = problems.filter(isGrave)
    const [first] = grave
    if (error || first) failures++
    const failure = error
      ? `<failure type="${escapeMarkup(error.code)}" message="${escapeMarkup(error.message)}"/>`
      : first
        ? `<failure type="${escapeMarkup(first.code)}" message="${escapeMarkup(first.message)}">${linesOf(grave)}</failure>`
        : ''
    const others = linesOf(problems.filter(problem => !isGrave(problem)))
    const said = others === '' ? '' : `<system-err>${others}</system-err>`
    return `    <testcase classname="pubctl.inspect" name="${escapeMarkup(file)}">${failure}${said}</testcase>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="pubctl inspect" tests="${rows.length}" failures="${failures}">
${cases.join('')}  </testsuite>
</testsuites>
`
}

const linesOf = (problems: readonly Problem[]): string =>
  problems
    .map(({ severity, place, message, hint }) =>
      escapeMarkup(
        `${severity}: ${place === undefined ? '' : `${place}: `}${message}${hint === undefined ? '' : ` ${hint}`}`,
      ),
    )
    .join('\n')
