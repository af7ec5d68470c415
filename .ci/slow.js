// Runs in full size the tests that are skipped or shorter otherwise, which are those that ask test/support/machine/slow.ts, or
// with --full those that ask test/support/machine/full.ts: npm run check:slow [-- --full] [-- <option of vitest>...]
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const isFull = process.argv.includes('--full')
const asked = `/support/machine/${isFull ? 'full' : 'slow'}.ts`
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map(file => `test/${file.replaceAll('\\', '/')}`)
  .filter(file => file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').includes(asked))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const options = process.argv.slice(2).filter(option => option !== '--full')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...files, ...options], {
  cwd: root,
  env: { ...process.env, [isFull ? 'FULL' : 'SLOW']: '1' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
