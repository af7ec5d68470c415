// Runs the tests that are known to pass on Windows and macOS: npm run check:portable [-- --wine] [-- <option of vitest>...]
//
// portable-tests.json names their folders and files, and those that only Windows runs, since Wine does; and, each with the reason, what
// of the tests is not run, what Windows skips, what fails there since it is about Unix, and what fails under Wine for a fault of Wine,
// which is known neither to pass nor to fail on Windows. What fails so does not count. With --wine, which
// npm run check:windows -- --tests gives, what is listed has to be skipped or to fail; what does not, or is gone, is to be taken from
// the list.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesIn, isSkipped, names, testsIn } from './test-report.js'

/** @typedef {{ test: string, reason: string }} Listed */

const root = join(import.meta.dirname, '..')
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'))
/** @type {{ tests: string[], testsOnWindows: string[], notRun: Listed[], skippedOnWindows: Listed[], failsOnWindows: Listed[], failsUnderWine: Listed[] }} */
const {
  tests: folders,
  testsOnWindows,
  notRun,
  skippedOnWindows,
  failsOnWindows,
  failsUnderWine,
} = read(join(import.meta.dirname, 'portable-tests.json'))
/** @type {Listed[]} */
const allowedSkips = read(join(import.meta.dirname, 'allowed-skips.json'))
const isWine = process.argv.includes('--wine')
const options = process.argv.slice(2).filter(option => option !== '--wine')

const isWindows = process.platform === 'win32'
const report = run()
const tests = testsIn(report)
const files = filesIn(report)
const listedBy = (/** @type {Listed[]} */ list, /** @type {{ name: string }} */ test) =>
  list.some(entry => names(entry, test))
const isUnix = (/** @type {{ name: string }} */ test) => isWindows && listedBy(failsOnWindows, test)
const isWines = (/** @type {{ name: string }} */ test) => isWindows && listedBy(failsUnderWine, test)
const mayFail = (/** @type {{ name: string }} */ test) => isUnix(test) || isWines(test)
/** Others are run by check:slow. */
const isQuick = (/** @type {string} */ file) =>
  !/\/support\/machine\/(?:slow|full)\.ts/.test(readFileSync(join(root, file), 'utf8'))

const troubles = [
  ...tests.filter(test => test.status === 'failed' && !mayFail(test)).map(({ name }) => `failed: ${name}`),
  ...tests
    .filter(test => isSkipped(test) && isQuick(test.file))
    .filter(test => !listedBy([...allowedSkips, ...skippedOnWindows], test))
    .map(
      ({ name }) => `skipped, and neither in .ci/allowed-skips.json nor in .ci/portable-tests.json: ${name}`,
    ),
  ...(isWine ? [...failsOnWindows, ...failsUnderWine] : [])
    .filter(entry => !tests.some(test => test.status === 'failed' && names(entry, test)))
    .map(({ test }) => `passes or is gone, and is still in .ci/portable-tests.json: ${test}`),
  ...(isWine ? skippedOnWindows : [])
    .filter(entry => !tests.some(test => isSkipped(test) && names(entry, test)))
    .map(({ test }) => `is not skipped or is gone, and is still in .ci/portable-tests.json: ${test}`),
  ...(tests.length === 0 ? ['no test was run'] : []),
]
console.log(table())
for (const trouble of troubles) console.error(trouble)
if (troubles.length > 0) process.exitCode = 1

/** The report of the test runner. */
function run() {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-portable-'))
  try {
    const report = join(folder, 'report.json')
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const named = [...folders, ...(isWindows ? testsOnWindows : [])]
    const excluded = notRun.flatMap(({ test }) => (test.endsWith('.ts') ? ['--exclude', test] : []))
    spawnSync(process.execPath, [vitest, 'run', ...named, ...excluded, ...reporters, ...options], {
      cwd: root,
      stdio: 'inherit',
    })
    return read(report)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many tests of each room passed, failed and were skipped, and how many seconds its files took. */
function table() {
  const lines = [['room', 'passed', 'failed', 'about Unix', "Wine's fault", 'skipped', 'seconds']]
  for (const room of new Set(tests.map(roomOf))) {
    const own = tests.filter(test => roomOf(test) === room)
    const failed = own.filter(({ status }) => status === 'failed')
    const counts = [
      own.filter(({ status }) => status === 'passed'),
      failed.filter(test => !mayFail(test)),
      failed.filter(isUnix),
      failed.filter(isWines),
      own.filter(isSkipped),
    ]
    const seconds = files.filter(file => roomOf(file) === room).reduce((sum, { seconds }) => sum + seconds, 0)
    lines.push([room, ...counts.map(each => `${each.length}`), seconds.toFixed(0)])
  }
  return lines
    .map(([room = '', ...counts]) => room.padEnd(16) + counts.map(count => count.padStart(14)).join(''))
    .join('\n')
}

function roomOf(/** @type {{ file: string }} */ { file }) {
  return file.split('/').slice(0, 2).join('/')
}
