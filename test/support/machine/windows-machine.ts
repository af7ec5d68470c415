import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { npm, type RunOptions, windowsPath, windowsSystem } from './wine.ts'

/** In the home folder, where none is given. */
type Options = Partial<RunOptions>

/**
 * The packed program, installed in a folder as npm does on Windows, in a Windows under Wine with an empty home. Undefined where
 * npm cannot get what it needs.
 */
export function installOnWindows(tarball: string, folder: string) {
  const system = windowsSystem()
  if (system === undefined) return undefined
  const { node, required, start, startNode, endAll, close } = system
  writeFileSync(join(folder, 'package.json'), '{}')
  const flags = ['--os=win32', '--cpu=x64', '--force', '--ignore-scripts', '--no-audit', '--no-fund']
  if (!npm(['install', tarball, ...flags], folder)) return undefined
  const program = windowsPath(join(folder, 'node_modules/pubctl/bin/pubctl.js'))
  const home = join(folder, 'home')
  mkdirSync(home)
  const dirs = Object.fromEntries(
    ['CONFIG', 'DATA', 'CACHE'].map(name => [`PUBCTL_${name}_DIR`, windowsPath(join(home, name))]),
  )
  const given = ({ cwd = home, env, ...more }: Options = {}) => ({
    cwd,
    env: { ...dirs, PUBCTL_KEYCHAIN: 'off', PUBCTL_SANDBOX_DELAY: '5ms', ...env },
    ...more,
  })
  let count = 0
  return {
    home,
    /** Runs pubctl. */
    run: async (args: readonly string[], options?: Options) =>
      await startNode([program, ...args], given(options)).ended,
    /** Runs an executable of pubctl, which brings a Node.js of its own. */
    runExecutable: async (path: string, args: readonly string[], { env, ...options }: Options = {}) =>
      await start(
        [path, ...args],
        given({ env: { NODE_OPTIONS: `--require ${required}`, ...env }, ...options }),
      ).ended,
    /** Runs a module that imports pubctl's library. */
    async runModule(code: string) {
      const path = join(folder, `module-${++count}.mjs`)
      writeFileSync(path, code)
      return await startNode([windowsPath(path)], given()).ended
    },
    /** Starts pubctl. */
    start: (args: readonly string[], options?: Options) => startNode([program, ...args], given(options)),
    /** Gives a drive such as `d:` a folder, or a folder a name in the network such as `unc/server/share`. */
    mount(name: string, path: string) {
      const at = join(system.folder, 'dosdevices', name)
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
      const line = `${windowsPath(node)} ${windowsPath(script)} >> ${windowsPath(path)}`
      const held = start(['cmd', '/c', line], given())
      while (!existsSync(said)) await sleep(20)
      rmSync(said)
      return async () => {
        endAll()
        await held.ended
      }
    },
    endAll,
    /** Does something while the library is away that the native packages are linked to. */
    async withoutRuntime<T>(work: () => Promise<T>): Promise<T> {
      const { runtime } = system
      renameSync(runtime, `${runtime}.away`)
      try {
        return await work()
      } finally {
        renameSync(`${runtime}.away`, runtime)
      }
    },
    close,
  }
}

/** A Windows with pubctl. */
export type WindowsMachine = NonNullable<ReturnType<typeof installOnWindows>>
