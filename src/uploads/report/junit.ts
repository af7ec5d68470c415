import { escapeMarkup } from '../../pages/escape-markup.ts'
import { countsOf, isFailed, type Receipt, receiptName } from '../receipt.ts'

/** JUnit XML, which CI systems show as test results. */
export function junitReport(receipts: readonly Receipt[]): string {
  const count = countsOf(receipts)
  const cases = receipts.map(receipt => {
    const { outcome, why, error } = receipt
    const inside =
      outcome === 'skipped'
        ? `<skipped${why === null ? '' : ` message="${escapeMarkup(why)}"`}/>`
        : !isFailed({ outcome, error })
          ? ''
          : `<failure type="${escapeMarkup(error?.code ?? outcome)}" message="${escapeMarkup(error?.message ?? why ?? '')}"/>`
    return `    <testcase classname="pubctl.upload" name="${escapeMarkup(receiptName(receipt))}">${inside}</testcase>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="pubctl upload" tests="${receipts.length}" failures="${receipts.filter(isFailed).length}" skipped="${count.skipped}">
${cases.join('')}  </testsuite>
</testsuites>
`
}
