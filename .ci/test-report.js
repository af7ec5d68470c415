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

/** Whether a test was skipped. */
export const isSkipped = (/** @type {{ status: string }} */ { status }) =>
  status !== 'passed' && status !== 'failed'

/** Whether an entry of a list, which names tests by the beginning of their file and name, is about a test. */
export const names = (/** @type {{ test: string }} */ { test }, /** @type {{ name: string }} */ { name }) =>
  name.startsWith(test)
