import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { codeFolder, type KeptCode, readCode, writeCode } from './code-cache.ts'
import { isTrustedFolder } from './system/ownership.ts'
import type { World } from './world.ts'

/** V8 throws away what has not run for a while, so a process that ran for longer than this has little to keep. */
const longest = 60

type Require = (name: string) => unknown
type Loaded = { exports: unknown }

/** A module that was loaded, and what was kept of it before. */
interface Compiled {
  readonly name: string
  readonly script: Script
  readonly loadedWith: readonly string[]
}

/**
 * Loads the program as `require` would, and keeps what V8 compiles of it for the next time: parsing takes half of the
 * time that a short command has. From 22.1 on Node does that by itself; for Node 20 it is done here. `node` is Node's
 * `require`. With PUBCTL_DEBUG, traces name the lines of the source. Whatever goes wrong with what is kept is no concern of the command.
 */
export function load(entry: string, world: Pick<World, 'env' | 'home' | 'platform'>, node: Require): unknown {
  if (world.env['PUBCTL_DEBUG']) {
    // Node reads the source maps of what it loads itself.
    process.setSourceMapsEnabled(true)
    return node(join(import.meta.dirname, entry))
  }
  const folder = codeFolder(world)
  if (Number.parseInt(process.versions.node, 10) < 22) return loadKeeping(entry, folder, node)
  if (folder !== undefined && isTrusted(folder, { make: true })) {
    const { enableCompileCache } = node('node:module') as { enableCompileCache?: (folder: string) => unknown }
    enableCompileCache?.(folder)
  }
  return node(join(import.meta.dirname, entry))
}

/**
 * V8 compiles a function when it is first called, so what is kept grows when a command loads modules that no other has.
 * What is not of this folder is left to Node.
 */
function loadKeeping(entry: string, folder: string | undefined, node: Require): unknown {
  const trusted = folder !== undefined && isTrusted(folder) ? folder : undefined
  const modules = new Map<string, Loaded>()
  const compiled: Compiled[] = []

  const loadModule = (name: string): unknown => {
    const known = modules.get(name)
    if (known) return known.exports
    const filename = join(import.meta.dirname, name)
    const text = readFileSync(filename, 'utf8')
    const module: Loaded = { exports: {} }
    modules.set(name, module)
    const hash = text.slice(2, text.indexOf('\n'))
    const found = trusted === undefined ? undefined : readCode(join(trusted, hash))
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${text}\n})`, {
      filename,
      ...(found ? { cachedData: found.code } : {}),
    })
    const loadedWith = found && !script.cachedDataRejected ? found.loadedWith : []
    compiled.push({ name: hash, script, loadedWith })
    const run = script.runInThisContext() as (...values: unknown[]) => void
    run(module.exports, require, module, filename, import.meta.dirname)
    return module.exports
  }
  const require = (name: string): unknown => (name.startsWith('./') ? loadModule(name) : node(name))

  if (folder !== undefined) process.once('exit', () => keep(folder, compiled, [...modules.keys()]))
  return loadModule(entry)
}

/** A folder that cannot be looked at or made is done without. */
function isTrusted(folder: string, options: { make?: boolean } = {}): boolean {
  try {
    return isTrustedFolder(folder, options)
  } catch {
    return false
  }
}

function keep(folder: string, compiled: readonly Compiled[], loaded: readonly string[]): void {
  const lacking = compiled.filter(({ loadedWith }) => loaded.some(name => !loadedWith.includes(name)))
  if (lacking.length === 0 || process.uptime() > longest) return
  const fileOf = ({ name, script, loadedWith }: Compiled): [string, KeptCode] => [
    name,
    { code: script.createCachedData(), loadedWith: [...new Set([...loadedWith, ...loaded])] },
  ]
  try {
    writeCode(folder, new Map(lacking.map(fileOf)))
  } catch {
    // It is done without.
  }
}
