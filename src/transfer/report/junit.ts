import { countsOf, isFailed, nameOf, type Receipt } from '../receipt.ts'
import { escaper, type Guard } from './text.ts'

/** JUnit XML, which CI systems show as test results. */
export function junitReport(receipts: readonly Receipt[], guard: Guard): string {
  const escaped = escaper(guard)
  const count = countsOf(receipts)
  const cases = receipts.map(receipt => {
    const { outcome, why, error } = receipt
    const inside =
      outcome === 'skipped'
        ? `<skipped${why === null ? '' : ` message="${escaped(why)}"`}/>`
        : !isFailed({ outcome, error })
          ? ''
          : `<failure type="${escaped(error?.code ?? outcome)}" message="${escaped(error?.message ?? why ?? '')}"/>`
    return `    <testcase classname="pubctl.upload" name="${escaped(nameOf(receipt))}">${inside}</testcase>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="pubctl upload" tests="${receipts.length}" failures="${receipts.filter(isFailed).length}" skipped="${count.skipped}">
${cases.join('')}  </testsuite>
</testsuites>
`
}
