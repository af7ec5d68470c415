// The first step of the action: installs pubctl in a folder of the job, and puts it on the path of later steps. Without a
// package, it packs the version that the action is of, from a copy of the action's own checkout.
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { annotate, setOutput } from './commands.js'

const { env } = process
// A Node.js that is too old for pubctl is told so, and knows no import.meta.dirname.
const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** Runs npm without a shell, so that no input is ever a piece of a script; on Windows, `npm` is one itself. */
function npm(folder, ...args) {
  const [program, ...first] =
    process.platform === 'win32'
      ? [process.execPath, join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js')]
      : ['npm']
  const { status, error } = spawnSync(program, [...first, ...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (error || status !== 0)
    throw new Error(`"npm ${args[0]}" failed; ${error ? error.message : 'the lines above say why'}`)
}

/** Refuses a Node.js that is too old before anything is downloaded for it. */
function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  const [major, minor] = engines.node.replace('>=', '').split('.').map(Number)
  const [own, ownMinor] = process.versions.node.split('.').map(Number)
  if (own < major || (own === major && ownMinor < minor))
    throw new Error(`pubctl needs Node.js ${major}.${minor} or later; this is ${process.version}`)
}

/** Packs the checkout of the action, and gives the path of the tarball. Neither the checkout nor the workspace is changed. */
function packed(folder) {
  const source = join(folder, 'source')
  const apart = ['.git', 'node_modules', 'dist'].map(name => join(checkout, name))
  cpSync(checkout, source, { recursive: true, filter: path => !apart.includes(path) })
  // The build needs development packages, which npm leaves out where NODE_ENV is "production".
  npm(source, 'ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline')
  npm(source, 'pack', '--pack-destination', folder)
  return join(
    folder,
    readdirSync(folder).find(name => name.endsWith('.tgz')),
  )
}

try {
  checkNode()
  const folder = mkdtempSync(join(env.RUNNER_TEMP, 'pubctl-'))
  const wanted = env.INPUT_PACKAGE?.trim() || packed(folder)
  const plainly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  npm(process.cwd(), 'install', '--prefix', folder, '--engine-strict', ...plainly, '--', wanted)
  appendFileSync(env.GITHUB_PATH, `${join(folder, 'node_modules/.bin')}\n`)
  setOutput('program', join(folder, 'node_modules/pubctl/bin/pubctl.js'))
} catch (error) {
  annotate('error', `pubctl could not be installed: ${error.message}`, { title: 'pubctl' })
  process.exitCode = 1
}
