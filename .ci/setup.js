// Installs what the lock file says, unless it is all there already; so a second run needs no network.
import { spawnSync } from 'node:child_process'

const npm = (args, stdio) => spawnSync('npm', args, { stdio, shell: process.platform === 'win32' }).status

if (npm(['ls', '--all'], 'ignore') !== 0) process.exitCode = npm(['ci', '--no-audit', '--no-fund'], 'inherit') ?? 1
