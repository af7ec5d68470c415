// Prints the counts of the test runner's JSON report; fails when there is none, when it counts no test, when a test failed, and
// when one was skipped that no entry of allowed-skips.json allows by the beginning of its file and name.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8') || '{}')
const allowed = JSON.parse(readFileSync(join(import.meta.dirname, 'allowed-skips.json'), 'utf8'))
const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0, testResults = [] } = report

const skipped = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => `${relative(root, name).replaceAll('\\', '/')}: ${fullName}`),
)
const unexplained = skipped.filter(each => !allowed.some(({ test }) => each.startsWith(test)))
for (const each of unexplained) console.error(`skipped, and not in .ci/allowed-skips.json: ${each}`)
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
if (numPassedTests === 0 || numFailedTests > 0 || numFailedTestSuites > 0 || unexplained.length > 0) process.exitCode = 1
