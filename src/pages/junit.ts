import { escapeMarkup } from './escape-markup.ts'

/** A test in the form of JUnit. */
export interface JunitCase {
  readonly name: string
  /** Why it was not carried out; empty where nobody said so. */
  readonly skipped?: string | undefined
  readonly failure?: JunitFailure | undefined
  /** What else is said of it, a line each. */
  readonly remarks: readonly string[]
}

interface JunitFailure {
  readonly type: string
  readonly message: string
  /** All that is wrong, a line each. */
  readonly lines?: readonly string[]
}

/** JUnit XML, which CI systems show as test results, of what a command, such as `inspect`, says of books. */
export function junit(command: string, cases: readonly JunitCase[]): string {
  const count = (name: 'failure' | 'skipped') => cases.filter(each => each[name] !== undefined).length
  const lines = cases.map(({ name, skipped, failure, remarks }) => {
    const inside = skipped === undefined ? failureElement(failure) : skippedElement(skipped)
    const said = remarks.length === 0 ? '' : `<system-err>${textOf(remarks)}</system-err>`
    return `    <testcase classname="pubctl.${command}" name="${escapeMarkup(name)}">${inside}${said}</testcase>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="pubctl ${command}" tests="${cases.length}" failures="${count('failure')}" skipped="${count('skipped')}">
${lines.join('')}  </testsuite>
</testsuites>
`
}

const skippedElement = (why: string): string =>
  why === '' ? '<skipped/>' : `<skipped message="${escapeMarkup(why)}"/>`

function failureElement(failure: JunitFailure | undefined): string {
  if (failure === undefined) return ''
  const { type, message, lines = [] } = failure
  const start = `<failure type="${escapeMarkup(type)}" message="${escapeMarkup(message)}"`
  return lines.length === 0 ? `${start}/>` : `${start}>${textOf(lines)}</failure>`
}

const textOf = (lines: readonly string[]): string => lines.map(escapeMarkup).join('\n')
