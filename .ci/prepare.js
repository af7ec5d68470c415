// Puts the pages of the manual where `man` finds them when a clone is linked by `npm link`, which reads package.json before they
// are made. npm runs this as well before it packs and after `npm ci`, which need nothing of it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { npm_command: command, npm_config_global: isGlobal, npm_config_global_prefix: prefix } = process.env
const isLinked = command === 'link' || (command === 'install' && isGlobal === 'true')
if (isLinked && prefix && process.platform !== 'win32' && existsSync(join(root, 'node_modules'))) {
  for (const script of ['build.js', 'man.js'])
    execFileSync(process.execPath, [join(import.meta.dirname, script)])
  const from = join(root, 'dist/man')
  const to = join(prefix, 'share/man/man1')
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    rmSync(join(to, name), { force: true })
    symlinkSync(join(from, name), join(to, name))
  }
}
