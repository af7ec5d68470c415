// What the JSON report of the test runner says.
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

/** @returns {string} */
export const fileOf = (/** @type {any} */ { name }) => relative(root, name).replaceAll('\\', '/')

/**
 * Each test by its file and name, and how it went.
 *
 * @returns {{ file: string, name: string, status: string }[]}
 */
export const testsIn = (/** @type {any} */ { testResults = [] }) =>
  /** @type {any[]} */ (testResults).flatMap(result =>
    result.assertionResults.map((/** @type {any} */ { fullName, status }) => ({
      ...{ file: fileOf(result), status },
      name: `${fileOf(result)}: ${fullName}`,
    })),
  )

/**
 * How many seconds each file took. Several are run at a time, so all of them take less than their sum.
 *
 * @returns {{ file: string, seconds: number }[]}
 */
export const filesIn = (/** @type {any} */ { testResults = [] }) =>
  /** @type {any[]} */ (testResults).map(result => ({
    file: fileOf(result),
    seconds: (result.endTime - result.startTime) / 1000,
  }))

/** Whether a test was skipped. */
export const isSkipped = (/** @type {{ status: string }} */ { status }) =>
  status !== 'passed' && status !== 'failed'

/** Whether an entry of a list, which names tests by the beginning of their file and name, is about a test. */
export const names = (/** @type {{ test: string }} */ { test }, /** @type {{ name: string }} */ { name }) =>
  name.startsWith(test)
