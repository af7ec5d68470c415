// Prints the counts of the test runner's JSON report: node .ci/count.js <report> <report of check:slow>
//
// Names what failed in either, and counts it once. Fails when there is no report, when it counts no test, when a test failed, and
// when one was skipped for no reason. The reasons are that check:slow runs the file in full, or that an entry of
// allowed-skips.json allows it by the beginning of its file and name. What check:slow skips itself needs such an entry.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOf, isSkipped, names, testsIn } from './test-report.js'

const allowed = JSON.parse(readFileSync(join(import.meta.dirname, 'allowed-skips.json'), 'utf8'))
const [report = {}, slow = {}] = process.argv
  .slice(2)
  .map(path => JSON.parse(readFileSync(path, 'utf8') || '{}'))
const inFull = new Set((slow.testResults ?? []).map(fileOf))

const skippedIn = (/** @type {any} */ report) => testsIn(report).filter(isSkipped)
const failed = new Set(
  [...testsIn(report), ...testsIn(slow)].flatMap(({ name, status }) => (status === 'failed' ? [name] : [])),
)
const skipped = skippedIn(report)
const left = [...skipped.filter(({ file }) => !inFull.has(file)), ...skippedIn(slow)]
const unexplained = left.filter(test => !allowed.some((/** @type {any} */ entry) => names(entry, test)))
for (const name of failed) console.error(`failed: ${name}`)
for (const { name } of unexplained) console.error(`skipped, and not in .ci/allowed-skips.json: ${name}`)

const { numPassedTests = 0, numFailedTestSuites = 0 } = report
console.log(
  `${numPassedTests} passed, ${failed.size} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
)
if (numPassedTests === 0 || failed.size > 0 || numFailedTestSuites > 0 || unexplained.length > 0)
  process.exitCode = 1
