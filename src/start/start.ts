import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import type { World } from '../system/world.ts'
import { type CodeCache, codeCache, type KeptCode, readCode, usableCode, writeCode } from './code-cache.ts'

/**
 * From when to when V8 does not discard compiled code that has not run for a while, in milliseconds since the start. What a shorter run
 * compiles is all there. A longer one has little to save: kept for a minute, the code would take a tenth of the memory of a worker.
 */
const [keptFrom, keptUntil] = [200, 10_000]

/**
 * Stands among the modules of a run that succeeded. One that fails, as where the service is down, calls fewer functions of them, and one
 * that loads fewer may call others: an EPUB is read by what a PDF has loaded, too. Their number tells most runs apart; where it does not,
 * the later run only takes longer.
 */
export const successOf = (modules: number): string => `success-${modules}`

type Require = (name: string) => unknown
type Loaded = { exports: unknown }

/** A module that was loaded, and what the runs loaded of which its cached code was saved. */
interface Compiled {
  readonly name: string
  readonly script: Script
  readonly loadedWith: readonly string[]
}

/**
 * Loads the program like `require`, and caches the code that V8 compiles: that saves a request 20 ms of 79, and help 3 of 31,
 * where Node itself starts in 20. Node's own cache, which it has from 22.1 on, would run whatever lies in it. `node` is Node's `require`. With
 * PUBCTL_DEBUG, stack traces name lines of the source. Failures of the cache are ignored.
 */
export function load(entry: string, world: Pick<World, 'env' | 'home' | 'platform'>, node: Require): unknown {
  if (world.env['PUBCTL_DEBUG']) {
    // Node only reads source maps of modules that it loads itself.
    process.setSourceMapsEnabled(true)
    return node(join(import.meta.dirname, entry))
  }
  return loadWithCache(entry, codeCache(world), node)
}

/**
 * Loads the bundle's modules with cached code. V8 compiles a function when it is first called, so the cache is saved again
 * when a command used modules that the cached code was not saved with, or is the first to succeed with as many. Other modules are
 * loaded by Node. Without the functions of its start, which a long run has not called for a while, every batch began 40 ms later.
 */
function loadWithCache(entry: string, cache: CodeCache | undefined, node: Require): unknown {
  const usable = cache === undefined ? {} : usableCode(cache)
  const modules = new Map<string, Loaded>()
  const compiled: Compiled[] = []

  const loadModule = (name: string): unknown => {
    const known = modules.get(name)
    if (known) return known.exports
    const filename = join(import.meta.dirname, name)
    const text = readFileSync(filename)
    const module: Loaded = { exports: {} }
    modules.set(name, module)
    const hash = text.toString('latin1', 2, text.indexOf('\n'))
    const path = cache === undefined ? '' : join(cache.folder, hash)
    const mark = usable[path]
    const found = mark === undefined ? undefined : readCode(path, mark)
    const compile = () => new Script(asFunction(text), { filename, ...(found && { cachedData: found.code }) })
    const script = found ? withUsualFlags(compile) : compile()
    const loadedWith = found && !script.cachedDataRejected ? found.loadedWith : []
    compiled.push({ name: hash, script, loadedWith })
    const run = script.runInThisContext() as (...values: unknown[]) => void
    run(module.exports, require, module, filename, import.meta.dirname)
    return module.exports
  }
  const require = (name: string): unknown => (name.startsWith('./') ? loadModule(name) : node(name))

  if (cache !== undefined) {
    setTimeout(() => keepCompiled(true), keptFrom).unref()
    setTimeout(() => keepCompiled(false), keptUntil).unref()
    process.once('exit', code => {
      const loaded = [...modules.keys(), ...(code === 0 ? [successOf(modules.size)] : [])]
      withUsualFlags(() => save(cache, compiled, loaded))
    })
  }
  return loadModule(entry)
}

/** Whether V8 keeps compiled code that has not run for a while, which it usually discards. */
function keepCompiled(isKept: boolean): void {
  // Loaded on demand, since it loads streams.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString(isKept ? '--no-flush-bytecode' : '--flush-bytecode')
}

function isKeeping(): boolean {
  const time = process.uptime() * 1000
  return time >= keptFrom && time < keptUntil
}

/** Cached code is only valid for the flags with which it was saved. They are those of all threads. */
function withUsualFlags<T>(work: () => T): T {
  if (!isKeeping()) return work()
  keepCompiled(false)
  try {
    return work()
  } finally {
    keepCompiled(isKeeping())
  }
}

const head = Buffer.from('(function (exports, require, module, __filename, __dirname) { ')
const tail = Buffer.from('\n})')

/** A module as a function. Its text is ASCII. As a string of its own as well, it would be copied: V8 then collects garbage sooner. */
const asFunction = (text: Buffer): string => Buffer.concat([head, text, tail]).toString('latin1')

function save(cache: CodeCache, compiled: readonly Compiled[], loaded: readonly string[]): void {
  const lacking = compiled.filter(({ loadedWith }) => loaded.some(name => !loadedWith.includes(name)))
  if (lacking.length === 0 || process.uptime() * 1000 > keptUntil) return
  const fileOf = ({ name, script, loadedWith }: Compiled): [string, KeptCode] => [
    name,
    { code: script.createCachedData(), loadedWith: [...new Set([...loadedWith, ...loaded])] },
  ]
  try {
    writeCode(cache, new Map(lacking.map(fileOf)))
  } catch {
    // The next command works without the cache.
  }
}
