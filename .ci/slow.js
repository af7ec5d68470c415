// Runs in full size the tests that are skipped or shorter otherwise, which are those that ask test/support/machine/slow.ts.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const files = readdirSync(join(root, 'test'), { recursive: true })
  .map(file => `test/${file.replaceAll('\\', '/')}`)
  .filter(file => file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').includes('/support/machine/slow.ts'))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...files, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, SLOW: '1' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
