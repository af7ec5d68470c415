import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The built program, and the machine it is measured on. */
export interface Machine {
  /** A folder for files, gone at the end. */
  readonly folder: string
  /** How many turns a contest takes where `turns` would be enough: fewer when the person is in a hurry. */
  turns(turns: number): number
  /** Whether a program is there to be compared with. */
  has(program: string): boolean
  /** Runs a program to its end, with its output thrown away; throws when it fails. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<undefined>
  /** The same for a program on Node; gives the most memory that it ever had, in MiB. */
  peakOf(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<number>
  /** The same; gives the milliseconds for which processors were busy with it, in all of its threads. */
  processorOf(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<number>
  /** Both of them, from one run. */
  costOf(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Cost>
  /** Starts a server, which says on one line of JSON where it is, and ends with the bench. */
  serve<T>(command: readonly string[]): Promise<T>
  /** Starts a server that says nothing, and waits until it answers. */
  start(command: readonly string[], baseUrl: string): Promise<string>
  end(): Promise<void>
}

/** What a run of a program takes. */
export interface Cost {
  /** The milliseconds for which processors were busy with it, and on Linux with the processes that it started. */
  readonly milliseconds: number
  /** The most memory that it ever had, without those processes: some have ended before it exits. */
  readonly peakMiB: number
}

/** What the process in which it runs has taken until now. Its text is run there, so it uses nothing around it. */
function usageNow(): Cost {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs')
  /** The sum of a field of a process and of the one after it, of the system's hundredths of a second. */
  const sum = (process: string, field: number): number => {
    const text = readFileSync(`/proc/${process}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[field]) + Number(fields[field + 1])) * 10
  }
  const [own, ofEnded] = [11, 13]
  const runningChildren = (): string[] =>
    readdirSync('/proc/self/task').flatMap(thread =>
      readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' ').filter(Boolean),
    )
  const started = () => runningChildren().reduce((all, child) => all + sum(child, own), sum('self', ofEnded))
  /** Its most memory in KiB, from Linux. There, `maxRSS` is at least what the process that started it had at that time. */
  const peak = () => Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1])
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const isLinux = process.platform === 'linux'
  return {
    milliseconds: (userCPUTime + systemCPUTime) / 1000 + (isLinux ? started() : 0),
    peakMiB: (isLinux ? peak() : maxRSS) / 1024,
  }
}

export const node = process.execPath
export const pubctl = [node, resolve('bin/pubctl.js')]
/** Other versions of Node, by the names that a machine may have them under. */
export const otherNodes = ['node22', 'node24'] as const
/** The same command on another version of Node. */
export const withNode = (other: string, [, ...args]: readonly string[]): readonly string[] => [other, ...args]
/** A script of `plain/`, which does a part of what pubctl does with the packages that it uses, as they come, and checks nothing. */
export const plain = (script: 'count' | 'inspect' | 'table' | 'upload') => [
  node,
  resolve(`test/bench/plain/${script}.cjs`),
]
/** What it is called in the table. */
export const plainScript = 'a plain script that checks nothing'
/** This very program, which is also the servers that it measures against. */
export const self = [node, resolve(process.argv[1] as string)]

/** How many of the turns are taken: all, a quarter, or one. */
export type Haste = 'none' | 'quick' | 'once'

export function openMachine(haste: Haste): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-bench-'))
  const usageFile = join(folder, 'usage')
  const hook = join(folder, 'usage.cjs')
  writeFileSync(
    hook,
    `if (require('worker_threads').isMainThread) process.on('exit', () =>
      require('fs').writeFileSync(${JSON.stringify(usageFile)}, JSON.stringify((${usageNow})())))`,
  )
  const servers: ChildProcess[] = []
  const clean = { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C' }

  const run: Machine['run'] = async ([program = '', ...args], env = {}) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...clean, ...env },
      cwd: folder,
    })
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
    })
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${said.slice(0, 500)}`)
    return undefined
  }

  const costOf: Machine['costOf'] = async (command, env = {}) => {
    await run(command, { ...env, NODE_OPTIONS: `--require ${hook}` })
    return JSON.parse(readFileSync(usageFile, 'utf8')) as Cost
  }

  const launch = ([program = '', ...args]: readonly string[]) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: clean, cwd: folder })
    servers.push(child)
    return child
  }

  return {
    folder,
    turns: turns => (haste === 'once' ? 1 : haste === 'quick' ? Math.max(1, Math.round(turns / 4)) : turns),
    has: program => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined,
    run,
    costOf,
    peakOf: async (command, env) => (await costOf(command, env)).peakMiB,
    processorOf: async (command, env) => (await costOf(command, env)).milliseconds,
    async serve(command) {
      let said = ''
      for await (const chunk of launch(command).stdout) {
        said += chunk
        if (said.includes('\n')) break
      }
      return JSON.parse(said)
    },
    async start(command, baseUrl) {
      launch(command).stdout.resume()
      for (let attempt = 0; attempt < 300; attempt++) {
        if (await fetch(baseUrl).catch(() => undefined)) return baseUrl
        await sleep(100)
      }
      throw new Error(`${command[0]} does not answer at ${baseUrl}`)
    },
    async end() {
      // A server that ends may still write into the folder.
      await Promise.all(servers.map(server => server.kill() && once(server, 'exit')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
