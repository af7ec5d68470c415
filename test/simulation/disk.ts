import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'
import type { Fault, SimulatedProcess } from './process.ts'

/** The processes by the folders that they have as their homes. */
const homes = new Map<string, SimulatedProcess>()

/** Makes each step with which a process changes something in its home a point. Returns what ends that. */
export function watchDisk(home: string, process: SimulatedProcess): () => void {
  homes.set(home, process)
  return () => void homes.delete(home)
}

/** The functions of node:fs that change what their first argument names, or the second one. */
const changing = [
  'writeFile',
  'appendFile',
  'rename',
  'rm',
  'unlink',
  'link',
  'symlink',
  'copyFile',
  'truncate',
] as const

type AnyFunction = (...args: unknown[]) => unknown

/**
 * The disk is the real one. Each function of Node that changes it, and each commit of a database, asks before and after what is
 * to go wrong. To be called before the program is loaded.
 */
export function simulateDisk(): void {
  const own = fs as unknown as Record<string, AnyFunction>
  const promises = fs.promises as unknown as Record<string, AnyFunction>
  for (const name of changing) {
    const [sync, called, promised] = [own[`${name}Sync`], own[name], promises[name]] as AnyFunction[]
    if (sync) own[`${name}Sync`] = (...args) => around(name, args, () => sync(...args))
    // With a callback, the step is done when that is called.
    if (called)
      own[name] = (...args) => {
        const done = args.at(-1) as AnyFunction
        const step = () =>
          new Promise((resolve, reject) =>
            called(...args.slice(0, -1), (error: unknown, result: unknown) =>
              error ? reject(error) : resolve(result),
            ),
          )
        around(name, args, step, (error, result) => done(error, result))
      }
    if (promised)
      promises[name] = async (...args) => await around(name, args, async () => await promised(...args))
  }
  const writeSync = own['writeSync'] as AnyFunction
  own['writeSync'] = (...args) => around('write', [pathOf(args[0])], () => writeSync(...args))
  syncBuiltinESMExports()
  simulateCommits()
}

const pathOf = (file: unknown): string | undefined => {
  try {
    return fs.readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return undefined
  }
}

/** Whether a step is made at this moment: Node makes some of others. */
let isWithin = false

function alone(step: () => unknown): unknown {
  isWithin = true
  try {
    return step()
  } finally {
    isWithin = false
  }
}

function around(name: string, args: readonly unknown[], step: () => unknown, settled?: AnyFunction): unknown {
  const found = isWithin ? undefined : args.slice(0, 2).flatMap(path => placeOf(path))[0]
  const end = (error: unknown, result?: unknown) => settled?.(error, result)
  if (found === undefined) {
    if (!settled) return step()
    return (step() as Promise<unknown>).then(result => end(null, result), end)
  }
  const { process, place } = found
  const fault = process.reach({ kind: 'disk', name: `${name} ${place}` })
  if (fault === 'die before') process.die()
  if (fault === 'disk full' && name !== 'rm' && name !== 'unlink') {
    const error = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', errno: -28 })
    if (settled) return setImmediate(() => end(error))
    throw error
  }
  const after = (result: unknown) => {
    if (fault === 'die after') process.die()
    return result
  }
  const result = alone(step)
  if (!(result instanceof Promise)) return after(result)
  const waited = result.then(after)
  return settled ? waited.then(value => end(null, value), end) : waited
}

/** Whose a path is, and its name there without what is random in it. */
function placeOf(path: unknown): { process: SimulatedProcess; place: string }[] {
  if (typeof path !== 'string') return []
  for (const [home, process] of homes) {
    if (!path.startsWith(join(home, '/'))) continue
    const place = relative(home, path).replace(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\.pubctl-[\w-]+|\.tmp-\w+/g,
      '*',
    )
    return [{ process, place }]
  }
  return []
}

interface Driver {
  new (path: string, options?: unknown): { exec(sql: string): unknown }
}

/** Has the program load a driver whose commits are points. */
function simulateCommits(): void {
  const require = createRequire(import.meta.url)
  const Real: Driver = require('libsql')
  class Watched extends Real {
    readonly path: string
    constructor(path: string, options?: unknown) {
      super(path, options)
      this.path = path
    }
    override exec(sql: string): unknown {
      if (sql !== 'COMMIT') return super.exec(sql)
      return commit(this.path, () => super.exec(sql))
    }
  }
  const cached = require.cache[require.resolve('libsql')]
  if (cached) cached.exports = Watched
}

function commit(path: string, step: () => unknown): unknown {
  const [found] = placeOf(path)
  if (!found) return step()
  const { process, place } = found
  const fault: Fault | undefined = process.reach({ kind: 'disk', name: `commit ${place}` })
  if (fault === 'die before') process.die()
  if (fault === 'disk full')
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL', rawCode: 13 })
  const result = step()
  if (fault === 'die after') process.die()
  return result
}
