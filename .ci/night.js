// Looks for hours for what no test has found yet, from seeds that belong to a day: npm run night -- simulate|fuzz
//   [--minutes <n>] [--date <YYYY-MM-DD>]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')

/** Each day has a million seeds of its own, so that a night tries others than the one before, and can be repeated. */
const [firstDay, day, seedsOfADay] = [Date.UTC(2026, 0, 1), 24 * 60 * 60 * 1000, 1_000_000]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '300' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
})
const [what = ''] = positionals
const seed = Math.floor((Date.parse(values.date) - firstDay) / day) * seedsOfADay
const { minutes } = values
/** @type {Record<string, string[]>} */
const searches = {
  simulate: ['--seeds', `${seedsOfADay}`, '--seed', `${seed}`, '--minutes', minutes],
  fuzz: ['--seed', `${seed}`, '--minutes', minutes],
}
const args = searches[what]
if (!args || !(seed >= 0)) {
  console.error('npm run night -- simulate|fuzz [--minutes <n>] [--date <YYYY-MM-DD>, 2026-01-01 or later]')
  process.exit(2)
}

const folder = join(root, 'dist/night')
mkdirSync(folder, { recursive: true })
const log = createWriteStream(join(folder, `${what}.txt`))
const say = (/** @type {string | Buffer} */ text) => {
  process.stdout.write(text)
  log.write(text)
}
say(`npm run ${what} -- ${args.join(' ')}\n`)
const child = spawn(process.execPath, [join(root, '.ci', `${what}.js`), ...args], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'pipe'],
})
child.stdout.on('data', say)
child.stderr.on('data', say)
const [code] = await once(child, 'close')
log.end()
process.exitCode = code ?? 1
