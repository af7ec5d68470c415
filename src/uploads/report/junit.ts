import { escapeMarkup } from '../../pages/escape-markup.ts'
import { countsOf, isFailed, type Receipt, receiptName } from '../receipt.ts'

/** JUnit XML, which CI systems show as test results. */
export function junitReport(receipts: readonly Receipt[]): string {
  const count = countsOf(receipts)
  const cases = receipts.map(receipt => {
    const { outcome, why, warnings, error } = receipt
    const inside =
      outcome === 'skipped'
        ? `<skipped${why === null ? '' : ` message="${escapeMarkup(why)}"`}/>`
        : !isFailed({ outcome, error })
          ? ''
          : `<failure type="${escapeMarkup(error?.code ?? outcome)}" message="${escapeMarkup(error?.message ?? why ?? '')}"/>`
    const remarks = warnings.map(({ message }) => escapeMarkup(message)).join('\n')
    const said = remarks === '' ? '' : `<system-err>${remarks}</system-err>`
    return `    <testcase classname="pubctl.upload" name="${escapeMarkup(receiptName(receipt))}">${inside}${said}</testcase>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="pubctl upload" tests="${receipts.length}" failures="${receipts.filter(isFailed).length}" skipped="${count.skipped}">
${cases.join('')}  </testsuite>
</testsuites>
`
}
