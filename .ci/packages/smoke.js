// Uploads a book to the sandbox with the executable in the archive for this platform, in an empty home:
// node .ci/packages/smoke.js [<folder of archives>]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { thisPlatform } from '../platform.js'

// It runs where nothing is installed, so it imports nothing that is.
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../dist/packages'))
const archive = readdirSync(folder).find(
  name => /\.(?:zip|tar\.gz)$/.test(name) && name.includes(`-${thisPlatform}.`),
)
if (archive === undefined) throw new Error(`no archive for ${thisPlatform} is in ${folder}`)
// The tar of Windows, and not the one of a shell for it, unpacks a zip.
const { SystemRoot } = process.env
const tar = SystemRoot === undefined ? 'tar' : join(SystemRoot, 'System32/tar.exe')
const home = mkdtempSync(join(tmpdir(), 'pubctl-smoke-'))
try {
  execFileSync(tar, ['-xf', join(folder, archive), '-C', home])
  const program = join(home, archive.replace(/\.(?:zip|tar\.gz)$/, ''), 'pubctl')
  pubctl(program, 'sandbox', 'book', 'first.epub')
  pubctl(program, '--profile', 'sandbox', 'publications', 'upload', 'first.epub')
} finally {
  rmSync(home, { recursive: true, force: true })
}

function pubctl(/** @type {string} */ program, /** @type {string[]} */ ...args) {
  const env = { ...process.env, PATH: '', HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }
  execFileSync(program, args, { cwd: home, env, stdio: 'inherit' })
}
