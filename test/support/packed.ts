import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { temporaryFolder } from './pubctl.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of certificate authorities that Node.js was to trust. */
    readonly authorities: string | undefined
  }
}

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
 * Installs a tarball into an empty folder, which is by default gone when the test is, without running a script of any package.
 * What it needs beside comes from npm's cache or, where that lacks it, from the registry; gives nothing when neither can be had.
 */
export function install(
  tarball: string,
  how: 'globally' | 'with everything' | 'without optional packages',
  prefix = temporaryFolder(),
): Installation | undefined {
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
    { shell, encoding: 'utf8', env: { ...process.env, NODE_EXTRA_CA_CERTS: inject('authorities') } },
  )
  if (status === 0) return { folder, prefix }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(stderr))
    return undefined
  throw new Error(stderr)
}
