// Simulates crashes and lost answers (see test/simulation/README.md): npm run simulate -- [<option of test/simulation/simulate.ts>...]
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { chunksOf, root } from './bundle.js'
import { planting } from './plant.js'

/** Bundles the program with its simulation, perhaps with a fault that is to be found, and gives the path. */
export async function bundleSimulation(
  /** @type {string} */ name,
  /** @type {import('./plant.js').Plant | undefined} */ plant = undefined,
) {
  const input = { [name]: 'test/simulation/main.ts' }
  const output = { codeSplitting: false, minify: false, sourcemap: /** @type {const} */ (false) }
  const chunks = await chunksOf(input, output, [planting(plant)])
  const path = join(root, 'dist/simulation', `${name}.cjs`)
  mkdirSync(dirname(path), { recursive: true })
  for (const { code } of chunks) writeFileSync(path, code)
  return path
}

/**
 * Each history makes much that is soon forgotten, and runs most functions a few times only: to optimise fewer of them, and to clear up
 * the memory in one thread, saves a quarter of the processor's time.
 */
const frugal = ['--max-semi-space-size=64', '--interrupt-budget=1000000', '--single-threaded-gc']
// These are no options that every Node.js has to have.
const nodeOptions = spawnSync(process.execPath, [...frugal, '-e', '0']).status === 0 ? frugal : []

/** What was tried, and the lines that say what does not hold. */
/** @typedef {{ tried: Record<string, number>, wrong: string[] }} Outcome */

/** Runs a bundled simulation in so many processes, which divide it. */
/** @returns {Promise<Outcome>} */
export async function runSimulation(
  /** @type {string} */ path,
  /** @type {readonly string[]} */ args,
  { processes = 1, onLine = (/** @type {string} */ _line) => {} } = {},
) {
  /** @type {string[]} */
  const wrong = []
  const tried = await Promise.all(
    Array.from({ length: processes }, async (_, part) => {
      const own = [...nodeOptions, path, '--part', `${part}/${processes}`]
      const child = spawn(process.execPath, [...own, ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let last = ''
      for await (const line of createInterface(child.stdout)) {
        if (last !== '') wrong.push(last)
        if (last !== '') onLine(last)
        last = line
      }
      try {
        return /** @type {Record<string, number>} */ (JSON.parse(last))
      } catch {
        throw new Error(`the simulation ended early: ${[...wrong, last].join('\n')}`)
      }
    }),
  )
  // Each process counts all scenarios and points, and its own histories and runs.
  const [first = {}] = tried
  const sum = (/** @type {string} */ name) => tried.reduce((total, each) => total + (each[name] ?? 0), 0)
  const own = Object.fromEntries(['histories', 'runs', 'faults', 'wrong'].map(name => [name, sum(name)]))
  return { tried: { ...first, ...own }, wrong }
}

if (process.argv[1] === import.meta.filename) {
  const began = performance.now()
  const path = await bundleSimulation('simulate')
  const options = {
    processes: availableParallelism(),
    onLine: (/** @type {string} */ line) => console.log(line),
  }
  const { tried } = await runSimulation(path, process.argv.slice(2), options)
  const seconds = Math.round((performance.now() - began) / 1000)
  const counted = Object.entries(tried).map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
  console.log(`${counted.join(', ')}, in ${seconds} s`)
  process.exitCode = tried['wrong'] === 0 ? 0 : 1
}
