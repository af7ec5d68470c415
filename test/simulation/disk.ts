import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { actor, dead, type Machine, type SimulatedProcess } from './process.ts'
import { below } from './random.ts'
import { tornLog } from './torn-log.ts'

/** The functions of node:fs that change what their first argument names, or the second one: each is a point. */
const changing = [
  'writeFile',
  'appendFile',
  'write',
  'rename',
  'rm',
  'unlink',
  'link',
  'symlink',
  'copyFile',
  'truncate',
]

/** Others that may change something, which only the dead must not do. */
const minor = ['open', 'mkdir', 'rmdir', 'mkdtemp', 'chmod', 'fchmod', 'utimes', 'futimes', 'ftruncate']

/** Those that change nothing. */
const reading = ['close', 'fstat', 'lstat', 'read', 'readFile', 'readdir', 'realpath', 'stat', 'statfs']

type AnyFunction = (...args: unknown[]) => unknown

/**
 * The disk is the real one. Each function of Node that changes it, and each commit of a database, asks before and after what is
 * to go wrong. None takes time, so that what is done at once comes in the same order each time. To be called before the program
 * is loaded.
 */
export function simulateDisk(): void {
  const own = fs as unknown as Record<string, AnyFunction>
  const promises = fs.promises as unknown as Record<string, AnyFunction>
  for (const name of [...changing, ...minor, ...reading]) {
    const [sync, promised] = [own[`${name}Sync`], promises[name]]
    if (!sync) continue
    const done = inNoTime(reading.includes(name) ? sync : (...args) => around(name, args, sync))
    // A function may have another one of Node's, as realpathSync has realpathSync.native.
    const step = Object.assign(done, sync)
    own[`${name}Sync`] = step
    const called: AnyFunction = (...args) => {
      const done = args.pop() as AnyFunction
      let outcome: unknown[]
      try {
        outcome = [null, step(...args), args[1]]
      } catch (error) {
        outcome = [error]
      }
      setImmediate(() => done(...outcome))
    }
    // As Node says of its own that it has more than one result.
    if (name === 'read')
      Object.defineProperty(called, promisify.custom, {
        value: async (...args: unknown[]) => {
          const results = { bytesRead: step(...args), buffer: args[1] }
          await new Promise(setImmediate)
          return results
        },
      })
    own[name] = called
    // A handle is opened by Node itself; it is used for what no process has to itself.
    if (promised && name !== 'open')
      promises[name] = async (...args) => {
        const result = step(...args)
        await new Promise(setImmediate)
        return result
      }
  }
  // The system tells of changes when it likes to. Here it has no more watches to give, so that only scans find files.
  own['watch'] = () => {
    throw noSpace('watch', 'System limit for number of file watchers reached')
  }
  syncBuiltinESMExports()
  discountSteps()
  simulateCommits()
}

/** The time that steps took, in milliseconds. */
let spent = 0
const realTime = process.hrtime

/** A disk that is slow is used in another way, so that histories would depend on how busy this machine is. */
function inNoTime(step: AnyFunction): AnyFunction {
  return (...args) => {
    const [seconds, nanoseconds] = realTime()
    try {
      return step(...args)
    } finally {
      const [tookSeconds, tookNanoseconds] = realTime([seconds, nanoseconds])
      spent += tookSeconds * 1000 + tookNanoseconds / 1e6
    }
  }
}

/** Has the time that the program measures stand still while it uses the disk. */
function discountSteps(): void {
  const hrtime = (): [number, number] => {
    const [seconds, nanoseconds] = realTime()
    const milliseconds = seconds * 1000 + nanoseconds / 1e6 - spent
    return [Math.floor(milliseconds / 1000), Math.floor((milliseconds % 1000) * 1e6)]
  }
  process.hrtime = Object.assign(hrtime, { bigint: realTime.bigint })
}

/** As Node says it. */
const noSpace = (syscall: string, message: string): Error =>
  Object.assign(new Error(`ENOSPC: ${message}, ${syscall}`), { code: 'ENOSPC', errno: -28, syscall })

const pathOf = (file: unknown): string | undefined => {
  try {
    return fs.readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return undefined
  }
}

/** Whether a step is made at this moment: Node makes some of others. */
let isWithin = false

function alone<T>(step: () => T): T {
  const before = isWithin
  isWithin = true
  try {
    return step()
  } finally {
    isWithin = before
  }
}

function around(name: string, args: unknown[], step: AnyFunction): unknown {
  const own = actor()
  const place = own && !isWithin ? placeOf(args.slice(0, 2), own.machine.home) : undefined
  if (!own || place === undefined) return step(...args)
  own.life.throwIfAborted()
  if (!changing.includes(name)) return alone(() => step(...args))
  const fault = own.reach({ kind: 'disk', name: `${name} ${place}` })
  if (fault === 'die before') throw dead(own)
  if (fault === 'disk full' && name !== 'rm' && name !== 'unlink')
    throw noSpace(name, 'no space left on device')
  if (fault === 'torn write') {
    const [file, content, third, , fifth] = args
    const bytes = Buffer.from(content as Buffer)
    const count = below(bytes.length + 1)
    if (name === 'write')
      alone(() => step(file, bytes, 0, count, typeof content === 'string' ? third : fifth))
    else alone(() => step(file, bytes.subarray(0, count), third))
    throw stopped(own)
  }
  if (fault === 'lock taken over') alone(() => takeLockOver(args[0], own.machine))
  const result = alone(() => step(...args))
  if (fault === 'die after') throw dead(own)
  return result
}

/** The machine of a process stops, and so does every process on it. */
function stopped({ machine, life }: SimulatedProcess): unknown {
  machine.isStopped = true
  for (const each of [...machine.processes]) each.die()
  return life.reason
}

/** Another program takes a lock over, as pubctl does it: by another file in its place. */
export function takeLockOver(file: unknown, { taken }: Pick<Machine, 'taken'>): void {
  const path = typeof file === 'string' ? file : pathOf(file)
  if (path === undefined) return
  const holder = {
    token: 'another',
    pid: 1,
    host: 'elsewhere',
    user: 'somebody',
    since: '2026-03-05T12:00:00Z',
  }
  const text = `${JSON.stringify(holder)}\n`
  fs.writeFileSync(`${path}.another`, text)
  fs.renameSync(`${path}.another`, path)
  taken.set(path, text)
}

/** What a path or an open file is called in a home folder, without what is random in it; undefined if none of them is there. */
function placeOf(files: readonly unknown[], home: string): string | undefined {
  for (const file of files) {
    const path = typeof file === 'number' ? pathOf(file) : file
    if (typeof path !== 'string' || !path.startsWith(join(home, '/'))) continue
    return relative(home, path).replace(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\.pubctl-[\w-]+|\.tmp-\w+/g,
      '*',
    )
  }
  return undefined
}

interface Statement {
  get(): unknown
}

interface Driver {
  new (
    path: string,
    options?: unknown,
  ): { exec(sql: string): unknown; pragma(sql: string): unknown; prepare(sql: string): Statement }
}

/** Has the program load a driver whose commits are points, and which does nothing for the dead. */
function simulateCommits(): void {
  const require = createRequire(import.meta.url)
  const Real: Driver = require('libsql')
  class Watched extends Real {
    readonly path: string
    /** Asks whether a commit waits for the disk. */
    safety: Statement | undefined
    constructor(path: string, options?: unknown) {
      super(path, options)
      this.path = path
    }
    override exec(sql: string): unknown {
      if (sql === 'ROLLBACK') return super.exec(sql)
      actor()?.life.throwIfAborted()
      if (sql !== 'COMMIT') return super.exec(sql)
      return this.commit(() => super.exec(sql))
    }
    override pragma(sql: string): unknown {
      actor()?.life.throwIfAborted()
      return super.pragma(sql)
    }
    commit(step: () => unknown): unknown {
      const own = actor()
      const place = own && placeOf([this.path], own.machine.home)
      if (!own || place === undefined) return step()
      const fault = own.reach({ kind: 'disk', name: `commit ${place}` })
      if (fault === 'die before') throw dead(own)
      if (fault === 'disk full')
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL', rawCode: 13 })
      const log = tornLog(`${this.path}-wal`)
      const result = step()
      if (fault === 'torn write') {
        own.machine.harm = log.tear()
        throw stopped(own)
      }
      this.safety ??= super.prepare('PRAGMA synchronous')
      const { synchronous } = this.safety.get() as { synchronous: number }
      if (synchronous === full) log.isSafe()
      if (fault === 'die after') throw dead(own)
      return result
    }
  }
  const cached = require.cache[require.resolve('libsql')]
  if (cached) cached.exports = Watched
}

/** What SQLite calls a database whose every commit waits for the disk. */
const full = 2
