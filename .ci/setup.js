// Installs what the lock file says, unless it is all there already; so a second run needs no network. With --ignore-scripts, no
// package may run anything as it is installed: node .ci/setup.js [--ignore-scripts]
import { spawnSync } from 'node:child_process'

const npm = (/** @type {string[]} */ args, /** @type {import("node:child_process").StdioOptions} */ stdio) =>
  spawnSync('npm', args, { stdio, shell: process.platform === 'win32' }).status

// Also within a command of npm that was told to try only, or not to install what development needs, such as
// `npm publish --dry-run`, whose options its scripts inherit.
const whole = ['--no-dry-run', '--include=dev', '--include=optional', '--include=peer', '--no-global']
if (npm(['ls', '--all', ...whole], 'ignore') !== 0)
  process.exitCode =
    npm(['ci', ...whole, ...process.argv.slice(2), '--no-audit', '--no-fund'], 'inherit') ?? 1
