import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { placesOf } from './config/paths.ts'
import { makeFolder } from './system/make-folder.ts'
import type { World } from './world.ts'

/** How long what was compiled is kept, in milliseconds. */
const life = 30 * 24 * 3_600_000

/** V8 throws away what has not run for a while, so a process that ran for longer than this has little to keep. */
const longest = 60

type Loaded = { exports: unknown }

/** A module that is loaded, and where its code is kept. */
interface Compiled {
  readonly path: string
  readonly script: Script
  /** The modules that were loaded beside it while the code that is kept came about. */
  readonly company: readonly string[]
}

/**
 * Loads the program as `require` would, and keeps what V8 compiles of it for the next time: parsing takes half of the
 * time that a short command has. Node can do that by itself from version 22 on; this does it for all. V8 compiles a
 * function when it is first called, so what is kept grows when a command brings in modules that no other has. Whatever
 * goes wrong with what is kept is no concern of the command. What is not of this folder is left to `node`, which is
 * Node's `require`.
 */
export function load(
  entry: string,
  world: Pick<World, 'env' | 'home' | 'platform'>,
  node: (name: string) => unknown,
): unknown {
  const folder = folderFor(world)
  const modules = new Map<string, Loaded>()
  const compiled: Compiled[] = []

  const loadModule = (name: string): unknown => {
    const known = modules.get(name)
    if (known) return known.exports
    const filename = join(import.meta.dirname, name)
    const text = readFileSync(filename, 'utf8')
    const module: Loaded = { exports: {} }
    modules.set(name, module)
    const path = folder && join(folder, text.slice(2, text.indexOf('\n')))
    const found = path === undefined ? undefined : kept(path)
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${text}\n})`, {
      filename,
      ...(found ? { cachedData: found.code } : {}),
    })
    const company = found && !script.cachedDataRejected ? found.company : []
    if (path !== undefined) compiled.push({ path, script, company })
    const run = script.runInThisContext() as (...values: unknown[]) => void
    run(module.exports, require, module, filename, import.meta.dirname)
    return module.exports
  }
  const require = (name: string): unknown => (name.startsWith('./') ? loadModule(name) : node(name))

  if (folder !== undefined) process.once('exit', () => keep(folder, compiled, [...modules.keys()]))
  return loadModule(entry)
}

/**
 * Where to keep what was compiled; each Node and machine has code of its own. Nothing is taken from a folder that another
 * user could have put code into.
 */
function folderFor(world: Pick<World, 'env' | 'home' | 'platform'>): string | undefined {
  if (world.env['NODE_DISABLE_COMPILE_CACHE']) return undefined
  try {
    const folder = join(placesOf(world).cacheDir, `compiled-${process.version}-${process.arch}`)
    const { uid, mode } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    const isOurs = uid === undefined || world.platform === 'win32' || uid === process.getuid?.()
    return isOurs && ((mode ?? 0) & 0o022) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * A file holds the names of the company in a line, and then the code twice: V8 trusts the bytes it is given, and damaged
 * ones would take the program down.
 */
function kept(path: string): { code: Buffer; company: readonly string[] } | undefined {
  try {
    const bytes = readFileSync(path)
    const start = bytes.indexOf('\n') + 1
    const middle = (start + bytes.length) / 2
    const [code, again] = [bytes.subarray(start, middle), bytes.subarray(middle)]
    const company = bytes.toString('latin1', 0, start).trim().split(' ')
    return code.equals(again) ? { code, company } : undefined
  } catch {
    return undefined
  }
}

function keep(folder: string, compiled: readonly Compiled[], loaded: readonly string[]): void {
  const lacking = compiled.filter(({ company }) => loaded.some(name => !company.includes(name)))
  if (lacking.length === 0 || process.uptime() > longest) return
  try {
    makeFolder(folder)
    for (const { path, script, company } of lacking) {
      const code = script.createCachedData()
      const names = `${[...new Set([...company, ...loaded])].join(' ')} `
      // V8 would copy code that does not lie at a multiple of eight bytes.
      const line = `${names.padEnd(Math.ceil((names.length + 1) / 8) * 8 - 1)}\n`
      const draft = `${path}.${process.pid}`
      try {
        writeFileSync(draft, Buffer.concat([Buffer.from(line), code, code]), { mode: 0o600, flag: 'wx' })
        renameSync(draft, path)
      } catch (error) {
        rmSync(draft, { force: true })
        throw error
      }
    }
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (Date.now() - statSync(path).mtimeMs > life) rmSync(path, { force: true })
    }
  } catch {
    // It is done without.
  }
}
