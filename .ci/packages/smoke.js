// Uploads a book to the sandbox with an executable that was built, in an empty home: node .ci/packages/smoke.js [<folder>]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from '../bundle.js'

const folder = resolve(process.argv[2] ?? join(root, 'dist/packages'))
const [built] = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
if (built === undefined) throw new Error(`no executable was built in ${folder}`)
const program = join(folder, built.name, 'pubctl')
const home = mkdtempSync(join(tmpdir(), 'pubctl-smoke-'))
try {
  pubctl('sandbox', 'book', 'first.epub')
  pubctl('--profile', 'sandbox', 'publications', 'upload', 'first.epub')
} finally {
  rmSync(home, { recursive: true, force: true })
}

function pubctl(/** @type {string[]} */ ...args) {
  const env = { ...process.env, PATH: '', HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }
  execFileSync(program, args, { cwd: home, env, stdio: 'inherit' })
}
