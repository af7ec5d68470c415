import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { codeFolder, type KeptCode, readCode, writeCode } from './code-cache.ts'
import { isTrustedFolder } from './system/ownership.ts'
import type { World } from './world.ts'

/** V8 discards compiled code that has not run for a while, so a process that ran longer has little to save, in seconds. */
const maxUptime = 60

type Require = (name: string) => unknown
type Loaded = { exports: unknown }

/** A module that was loaded, and the modules that its cached code was saved with. */
interface Compiled {
  readonly name: string
  readonly script: Script
  readonly loadedWith: readonly string[]
}

/**
 * Loads the program like `require`, and caches the code that V8 compiles, because parsing takes half of the time of a short
 * command. Node does that itself from 22.1; for Node 20 it is done here. `node` is Node's `require`. With PUBCTL_DEBUG,
 * stack traces name lines of the source. Failures of the cache are ignored.
 */
export function load(entry: string, world: Pick<World, 'env' | 'home' | 'platform'>, node: Require): unknown {
  if (world.env['PUBCTL_DEBUG']) {
    // Node only reads source maps of modules that it loads itself.
    process.setSourceMapsEnabled(true)
    return node(join(import.meta.dirname, entry))
  }
  const folder = codeFolder(world)
  if (Number.parseInt(process.versions.node, 10) < 22) return loadWithCache(entry, folder, node)
  if (folder !== undefined && isTrusted(folder, { make: true })) {
    const { enableCompileCache } = node('node:module') as { enableCompileCache?: (folder: string) => unknown }
    enableCompileCache?.(folder)
  }
  return node(join(import.meta.dirname, entry))
}

/**
 * Loads the bundle's modules with cached code. V8 compiles a function when it is first called, so the cache is saved again
 * when a command used modules that the cached code was not saved with. Other modules are loaded by Node.
 */
function loadWithCache(entry: string, folder: string | undefined, node: Require): unknown {
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

  if (folder !== undefined) process.once('exit', () => save(folder, compiled, [...modules.keys()]))
  return loadModule(entry)
}

/** Whether the cache folder can be used. One that cannot be read or created is ignored. */
function isTrusted(folder: string, options: { make?: boolean } = {}): boolean {
  try {
    return isTrustedFolder(folder, options)
  } catch {
    return false
  }
}

function save(folder: string, compiled: readonly Compiled[], loaded: readonly string[]): void {
  const lacking = compiled.filter(({ loadedWith }) => loaded.some(name => !loadedWith.includes(name)))
  if (lacking.length === 0 || process.uptime() > maxUptime) return
  const fileOf = ({ name, script, loadedWith }: Compiled): [string, KeptCode] => [
    name,
    { code: script.createCachedData(), loadedWith: [...new Set([...loadedWith, ...loaded])] },
  ]
  try {
    writeCode(folder, new Map(lacking.map(fileOf)))
  } catch {
    // The next command works without the cache.
  }
}
