// Runs the packed program under the real Node.js for Windows, where Wine is: npm run check:windows [-- <option of vitest>...]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const args = [vitest, 'run', 'test/journeys/windows.test.ts', '--reporter=verbose', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  env: { ...process.env, SLOW: '1' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
