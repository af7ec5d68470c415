// Prints the counts of the test runner's JSON report; fails when there is none, or when it counts no test.
import { readFileSync } from 'node:fs'

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8') || '{}')
const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numFailedTestSuites = 0 } = report
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`)
if (numPassedTests === 0 || numFailedTests > 0 || numFailedTestSuites > 0) process.exitCode = 1
