// Runs the packed program under the real Node.js for Windows, where Wine is, or with --tests the project's own tests that are known
// to pass there: npm run check:windows [-- --tests] [-- <option of vitest>...]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const [file, size] = process.argv.includes('--tests')
  ? ['test/project/windows-tests.test.ts', 'FULL']
  : ['test/journeys/windows.test.ts', 'SLOW']
const options = process.argv.slice(2).filter(option => option !== '--tests')
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', file, '--reporter=verbose', '--slowTestThreshold=0', ...options],
  {
    cwd: root,
    env: { ...process.env, [size]: '1' },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
