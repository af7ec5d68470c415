// The second step of the action: runs pubctl, and turns what it leaves into annotations. All inputs come from variables, and go
// to pubctl as arguments, so that none of them is ever a piece of a script.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { annotateBooks, annotateFailures, annotateReceipts, annotateSteps } from './annotations.js'
import { annotate, say, setOutput } from './commands.js'

const { env } = process
const input = name => (env[`INPUT_${name}`] ?? '').trim()
/** The lines of an input, without empty ones. */
const linesOf = name =>
  input(name)
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(Boolean)
const optional = (flag, name) => (input(name) === '' ? [] : [flag, input(name)])

const files = linesOf('FILES')
const sources = linesOf('CATALOGUE')
const manifest = input('MANIFEST')
const folder = mkdtempSync(join(env.RUNNER_TEMP, 'pubctl-receipts-'))
const receipts = join(folder, 'receipts.ndjson')
const plan = join(folder, 'plan.ndjson')
const concurrency = optional('--concurrency', 'CONCURRENCY')
setOutput('folder', folder)

/** The environment of pubctl: a variable of the job counts unless there is an input. */
const settings = Object.fromEntries(
  [
    ['PUBCTL_API_KEY', input('API_KEY')],
    ['PUBCTL_BASE_URL', input('BASE_URL')],
    ['PUBCTL_PROFILE', input('PROFILE')],
  ].flatMap(([name, given]) => [[name, given || env[name] || undefined]]),
)

/** Runs pubctl. Until it has ended, the runner takes nothing that it prints for a command, such as the name of a book. */
function pubctl(args, { isQuiet = false } = {}) {
  const token = randomUUID()
  say(`::stop-commands::${token}`)
  const {
    status,
    stdout = '',
    stderr = '',
    error,
  } = spawnSync(process.execPath, [env.PROGRAM, ...args], {
    env: { ...env, ...settings },
    stdio: ['ignore', ...(isQuiet ? ['pipe', 'pipe'] : ['inherit', 'inherit'])],
    encoding: 'utf8',
    maxBuffer: 1024 * 1024 * 1024,
  })
  if (isQuiet) for (const text of [stdout, stderr]) if (text) say(text.trimEnd())
  say(`\n::${token}::`)
  if (error) throw error
  return { code: status ?? 1, stdout, stderr }
}

const isDryRun = () => {
  const wanted = input('DRY_RUN') || 'auto'
  if (wanted === 'auto') return /^pull_request/.test(env.GITHUB_EVENT_NAME ?? '')
  if (wanted === 'true' || wanted === 'false') return wanted === 'true'
  throw new Error(`dry-run is "${wanted}", and may be auto, true or false`)
}

function upload(isDry) {
  const args = [
    ...['publications', 'upload', '--recursive', '--skip-existing', '--summary'],
    ...[...optional('--if-changed', 'IF_CHANGED'), ...optional('--manifest', 'MANIFEST'), ...concurrency],
    ...linesOf('ARGUMENTS'),
  ]
  if (isDry) {
    const { code, stderr } = pubctl([...args, '--dry-run', '-o', 'ndjson', '--', ...files], { isQuiet: true })
    return { code, isTold: annotateFailures(stderr, files) }
  }
  const { code } = pubctl([...args, '--report', receipts, '--', ...files])
  return { code, isTold: annotateReceipts(receipts) }
}

function applyCatalogue(isDry) {
  const planned = pubctl([
    ...['catalogue', 'plan', '--out', plan, '--summary'],
    ...linesOf('BOOKS').flatMap(each => ['--files', each]),
    ...[...linesOf('ARGUMENTS'), '--', ...sources],
  ])
  const isTold = existsSync(plan) && annotateSteps(plan)
  // With exit code 10, the plan was made, and a part of the sources could not be used.
  if (isDry || ![0, 10].includes(planned.code)) return { code: planned.code, isTold }
  const { code } = pubctl(['catalogue', 'apply', plan, '--report', receipts, '--summary', ...concurrency])
  return { code: code || planned.code, isTold: annotateReceipts(receipts) || isTold }
}

/** Those of the further arguments of an upload that say how books and sheets are read. */
function readingArguments() {
  const all = linesOf('ARGUMENTS')
  return all.filter((each, index) => {
    const isValue = ['--encoding', '--type'].includes(all[index - 1])
    return isValue || /^--(?:strict$|(?:encoding|type)(?:=|$))/.test(each)
  })
}

/** Pull requests from forks get no secrets, so the service cannot be asked. */
function withoutKey(isUpload) {
  annotate(
    'notice',
    'There is no API key here, as in pull requests from forks, so the service was not asked.',
    {
      title: 'pubctl',
    },
  )
  if (!isUpload) return { code: 0, isTold: true }
  const args = ['inspect', '--recursive', ...optional('--manifest', 'MANIFEST'), ...readingArguments()]
  const { code, stdout, stderr } = pubctl([...args, '-o', 'ndjson', '--', ...files], { isQuiet: true })
  return { code, isTold: annotateBooks(stdout, stderr, files) }
}

function run() {
  const isUpload = files.length > 0 || manifest !== ''
  if (isUpload === sources.length > 0) throw new Error('give either files (or manifest) or catalogue')
  const isDry = isDryRun()
  const hasKey = settings.PUBCTL_API_KEY !== undefined || settings.PUBCTL_PROFILE !== undefined
  if (isDry && !hasKey) return withoutKey(isUpload)
  return isUpload ? upload(isDry) : applyCatalogue(isDry)
}

try {
  const { code, isTold } = run()
  if (existsSync(receipts)) setOutput('receipts', receipts)
  if (existsSync(plan)) setOutput('plan', plan)
  setOutput('exit-code', code)
  if (code !== 0 && !isTold) annotate('error', `pubctl ended with exit code ${code}`, { title: 'pubctl' })
  process.exitCode = code
} catch (error) {
  setOutput('exit-code', 2)
  annotate('error', error.message, { title: 'pubctl' })
  process.exitCode = 2
}
