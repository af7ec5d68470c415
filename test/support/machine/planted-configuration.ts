import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const modules = join(import.meta.dirname, '../../../node_modules')

const inNode = (folder: string, script: string, ...args: string[]) =>
  JSON.parse(execFileSync(process.execPath, ['-e', script, ...args], { cwd: folder, encoding: 'utf8' }))

/** The names that cosmiconfig looks for in each folder when graphile-worker asks it to search; the folder is empty. */
export const configurationNames = (folder: string): string[] =>
  inNode(
    folder,
    `const fs = require('node:fs')
     const { cosmiconfigSync } = require(process.argv[1])
     const search = () => cosmiconfigSync('graphile-worker', { stopDir: process.cwd() }).search()
     search()
     const names = new Set()
     const { readFileSync } = fs
     fs.readFileSync = (path, ...more) => {
       names.add(require('node:path').relative(process.cwd(), path))
       return readFileSync(path, ...more)
     }
     search()
     console.log(JSON.stringify([...names]))`,
    join(modules, 'cosmiconfig'),
  )

/** What other parts of the library would read in the current folder, and what could be taken for an installed package. */
const others = [
  ...['crontab', 'tasks/step.js', 'graphile.config.js', 'graphile.config.cjs', 'graphile.config.mjs'],
  ...['cosmiconfig', 'graphile-worker', 'graphile-config', 'pg', 'pg-native'].map(
    name => `node_modules/${name}/index.js`,
  ),
]

/** What no part of the library takes for its configuration. */
const refused = { pollInterval: [], loaders: {} }

/**
 * Puts a file for each name into a folder. Code writes its own path into the file `ran`, and whatever else is believed
 * ends in an error.
 */
function plantConfiguration(folder: string, names: readonly string[], ran: string): void {
  for (const name of names) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contentOf(path, ran))
  }
}

function contentOf(path: string, ran: string): string {
  const write = `.appendFileSync(${JSON.stringify(ran)}, ${JSON.stringify(`${path}\n`)})`
  if (path.endsWith('.mjs')) return `import fs from 'node:fs'; fs${write}`
  if (/\.[cm]?[jt]s$/.test(path)) return `require('node:fs')${write}`
  if (path.endsWith('crontab')) return 'not a line of a crontab'
  return JSON.stringify({ 'graphile-worker': refused, cosmiconfig: refused, ...refused })
}

/** The same for a folder and the one above it, with what else might be read. Gives what tells which code ran. */
export function plantAround(folder: string, names: readonly string[], ran: string): () => string {
  for (const each of [folder, dirname(folder)]) plantConfiguration(each, [...names, ...others], ran)
  return () => (existsSync(ran) ? readFileSync(ran, 'utf8') : '')
}

/** Which of these names do harm, each in a folder of its own below this one, when graphile-worker is loaded there. */
export function harmfulNames(folder: string, names: readonly string[]): string[] {
  names.forEach((name, index) => {
    plantConfiguration(join(folder, `${index}`), [name], join(folder, `${index}.ran`))
  })
  return inNode(
    folder,
    `const fs = require('node:fs')
     const [modules, folder, names] = process.argv.slice(1)
     const path = modules + '/graphile-worker/dist/config.js'
     const harmful = []
     process.on('unhandledRejection', () => undefined)
     const load = async () => {
       for (const [index, name] of JSON.parse(names).entries()) {
         process.chdir(folder + '/' + index)
         delete require.cache[path]
         const isRefused = (() => { try { require(path).makeWorkerPresetWorkerOptions() } catch { return true } })()
         await new Promise(resolve => setTimeout(resolve, name.endsWith('.mjs') ? 50 : 0))
         if (isRefused || fs.existsSync(folder + '/' + index + '.ran')) harmful.push(name)
       }
       console.log(JSON.stringify(harmful))
     }
     void load()`,
    ...[modules, folder, JSON.stringify(names)],
  )
}
