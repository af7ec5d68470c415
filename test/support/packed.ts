import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const packer = join(import.meta.dirname, '../../.ci/pack.js')
const shell = process.platform === 'win32'

/** Packs the package as it would be published, and gives the tarball's path. */
export function pack(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-packed-'))
  return execFileSync(process.execPath, [packer, folder], { encoding: 'utf8' }).trim()
}

interface Installation {
  /** The folder of the package. */
  readonly folder: string
  readonly prefix: string
}

/**
 * Installs a tarball into an empty folder, without running a script of any package. What it needs beside comes from npm's
 * cache or, where that lacks it, from the registry; gives nothing when neither can be had.
 */
export function install(
  tarball: string,
  how: 'globally' | 'with everything' | 'without optional packages',
): Installation | undefined {
  const prefix = mkdtempSync(join(tmpdir(), 'pubctl-installed-'))
  onTestFinished(() => rmSync(prefix, { recursive: true, force: true }))
  const isGlobal = how === 'globally'
  const folder = join(prefix, isGlobal && !shell ? 'lib' : '', 'node_modules/pubctl')
  mkdirSync(join(prefix, 'node_modules'))
  const { status, stderr } = spawnSync(
    'npm',
    [
      ...[
        'install',
        tarball,
        '--prefix',
        prefix,
        ...(isGlobal ? ['--global'] : how === 'with everything' ? [] : ['--omit=optional']),
      ],
      ...[
        '--ignore-scripts',
        '--prefer-offline',
        '--fetch-retries=0',
        '--fetch-timeout=20000',
        '--no-audit',
        '--no-fund',
      ],
    ],
    { shell, encoding: 'utf8' },
  )
  if (status === 0) return { folder, prefix }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(stderr))
    return undefined
  throw new Error(stderr)
}
